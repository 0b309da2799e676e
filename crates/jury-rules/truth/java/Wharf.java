package wharf;

import android.content.SharedPreferences;
import com.mongodb.BasicDBObject;
import com.mongodb.client.MongoCollection;
import com.thoughtworks.xstream.XStream;
import groovy.lang.GroovyShell;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.io.*;
import java.net.*;
import java.rmi.Naming;
import java.security.*;
import java.util.*;
import javax.crypto.*;
import javax.crypto.spec.*;
import javax.el.*;
import javax.faces.context.FacesContext;
import javax.jdo.PersistenceManager;
import javax.mail.internet.MimeMessage;
import javax.net.ssl.*;
import javax.ws.rs.*;
import javax.ws.rs.core.Response;
import org.apache.commons.jexl3.*;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.conn.ssl.*;
import org.bouncycastle.crypto.engines.DESEngine;
import org.mvel2.MVEL;
import org.slf4j.*;
import org.springframework.ldap.core.LdapTemplate;
import org.springframework.security.crypto.password.*;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.view.RedirectView;

@Path("/ships")
public class Wharf {
  private static final Logger LOG = LoggerFactory.getLogger(Wharf.class);

  @GET
  @Path("/{name}")
  public Response one(@PathParam("name") String name, @HeaderParam("Referer") String from) throws Exception {
    LOG.info("asked for " + name);
    LOG.info("asked for {}", name.replaceAll("[\r\n]", ""));
    new GroovyShell().evaluate(name);
    MVEL.eval(name);
    new JexlBuilder().create().createExpression(name).evaluate(null);
    new XStream().fromXML(name);
    Naming.lookup(name);
    new File("/srv/ships/" + name).delete();
    new HttpGet(name);
    new Socket(name, 80);
    return Response.seeOther(URI.create(from)).build();
  }

  @POST
  public void query(@QueryParam("q") String q, PersistenceManager manager, LdapTemplate ldap, MongoCollection ships) {
    manager.newQuery("select from Ship where name == '" + q + "'");
    ldap.search("", "(cn=" + q + ")", null);
    ships.find(BasicDBObject.parse("{ $where: \"this.name == '" + q + "'\" }"));
    ships.find(new BasicDBObject("name", q));
  }

  void pages(javax.servlet.http.HttpServletRequest request, ModelAndView view) {
    view.setViewName("redirect:" + request.getParameter("to"));
    new RedirectView(request.getParameter("to"));
    new RedirectView("/home");
    FacesContext.getCurrentInstance().getApplication().getExpressionFactory().createValueExpression(null, request.getParameter("x"), String.class);
  }

  void vertx(RoutingContext ctx, io.vertx.sqlclient.SqlClient client) {
    client.query("SELECT * FROM ships WHERE name = '" + ctx.request().getParam("n") + "'").execute();
    ctx.response().putHeader("location", ctx.request().getParam("to")).end();
  }

  void crypto(byte[] key, byte[] nonce) throws Exception {
    new DESEngine();
    Cipher.getInstance("Blowfish");
    Cipher.getInstance("RC4");
    KeyGenerator.getInstance("DES");
    KeyGenerator.getInstance("AES");
    Mac.getInstance("HmacMD5");
    Signature.getInstance("SHA1withRSA");
    new GCMParameterSpec(128, new byte[12]);
    new GCMParameterSpec(128, nonce);
    new SecureRandom("wharf".getBytes());
    new SecureRandom();
    org.apache.commons.codec.digest.DigestUtils.md5Hex(key);
    com.google.common.hash.Hashing.sha1();
    NoOpPasswordEncoder.getInstance();
  }

  void tls(SSLConnectionSocketFactory factory, HttpsURLConnection connection) throws Exception {
    connection.setHostnameVerifier(NoopHostnameVerifier.INSTANCE);
    new SSLConnectionSocketFactory(SSLContext.getDefault(), new AllowAllHostnameVerifier());
    SSLContext.getInstance("TLSv1");
    new URL("http://files.wharf.net/list").openStream();
    new URL("https://files.wharf.net/list").openStream();
  }

  void keep(SharedPreferences settings, String secret) {
    settings.edit().putString("password", secret).apply();
    settings.edit().putString("theme", secret).apply();
  }

  void mail(javax.servlet.http.HttpServletRequest request, MimeMessage message) throws Exception {
    message.setSubject(request.getParameter("subject"));
    new File("/srv/x").setWritable(true, false);
    new File("/srv/x").setWritable(true);
    File.createTempFile("x", "y");
    new FileOutputStream("/tmp/wharf.txt");
  }
}
