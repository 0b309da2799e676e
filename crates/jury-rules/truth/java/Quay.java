package quay;

import com.auth0.jwt.JWT;
import com.auth0.jwt.algorithms.Algorithm;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.security.*;
import java.sql.*;
import java.util.*;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.*;
import javax.naming.*;
import javax.naming.directory.*;
import javax.net.ssl.*;
import javax.script.*;
import javax.servlet.http.*;
import javax.xml.parsers.*;
import javax.xml.stream.*;
import javax.xml.transform.*;
import javax.xml.transform.stream.StreamSource;
import javax.xml.xpath.*;
import org.apache.commons.io.FilenameUtils;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestTemplate;
import org.yaml.snakeyaml.Yaml;

public class Quay extends HttpServlet {

  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String name = request.getParameter("name");
    System.out.printf(name);
    System.out.printf("%s", name);
    response.getWriter().println("<b>" + name + "</b>");
    response.sendRedirect(name);
    response.sendRedirect("/home");
    response.addHeader("X-Name", name);
    request.getSession().setAttribute("role", name);
    new FileInputStream("/srv/" + name);
    new FileInputStream("/srv/" + FilenameUtils.getName(name));
    new URL(name).openStream();
    Runtime.getRuntime().exec("ping " + name);
    new ProcessBuilder("ping", "-c", "1", name).start();
    Class.forName(name);
    new ObjectInputStream(request.getInputStream()).readObject();
    new Yaml().load(name);
    new SpelExpressionParser().parseExpression(name).getValue();
    new ScriptEngineManager().getEngineByName("js").eval(name);
    new InitialContext().lookup(name);
    Pattern.compile(name).matcher("x");
    request.getRequestDispatcher(name).forward(request, response);
    Thread.sleep(10);
  }

  void queries(HttpServletRequest request, Connection db, DirContext directory, XPath xpath) throws Exception {
    String who = request.getParameter("who");
    db.createStatement().executeQuery("SELECT * FROM berths WHERE owner = '" + who + "'");
    PreparedStatement good = db.prepareStatement("SELECT * FROM berths WHERE owner = ?");
    good.setString(1, who);
    directory.search("ou=staff", "(uid=" + who + ")", new SearchControls());
    xpath.evaluate("//berth[@owner='" + who + "']", (Object) null);
    db.setCatalog(who);
  }

  void ciphers(byte[] key, char[] word) throws Exception {
    Cipher.getInstance("DES/ECB/PKCS5Padding");
    Cipher.getInstance("AES");
    Cipher.getInstance("AES/CBC/PKCS5Padding");
    Cipher.getInstance("AES/GCM/NoPadding");
    Cipher.getInstance("RSA/ECB/PKCS1Padding");
    Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding");
    MessageDigest.getInstance("MD5");
    MessageDigest.getInstance("SHA-256");
    KeyPairGenerator pairs = KeyPairGenerator.getInstance("RSA");
    pairs.initialize(1024);
    new SecretKeySpec("0123456789abcdef".getBytes(), "AES");
    new PBEKeySpec(word, "pier".getBytes(), 600000, 256);
    new IvParameterSpec(new byte[16]);
  }

  void parsers(InputStream in) throws Exception {
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
    XMLInputFactory.newInstance().createXMLStreamReader(in);
    SAXParserFactory.newInstance().newSAXParser().parse(in, new Handler());
    TransformerFactory.newInstance().newTransformer(new StreamSource(in));
    new java.beans.XMLDecoder(in).readObject();
  }

  void transport() throws Exception {
    SSLContext.getInstance("SSLv3");
    SSLContext.getInstance("TLSv1.3");
    HttpsURLConnection.setDefaultHostnameVerifier((host, session) -> true);
    new DefaultHttpHeaders(false);
    new DefaultHttpHeaders(true);
    System.setProperty("com.sun.jndi.ldap.object.disableEndpointIdentification", "true");
  }

  String token(String user) {
    return JWT.create().withSubject(user).sign(Algorithm.HMAC256("pier-pier-pier"));
  }

  void cookies(HttpServletResponse response, String token) {
    Cookie cookie = new Cookie("sid", token);
    cookie.setSecure(false);
    cookie.setHttpOnly(false);
    response.addCookie(cookie);
  }

  void login() throws Exception {
    DriverManager.getConnection("jdbc:mysql://db/quay", "app", "p1er-word");
  }

  void configure(HttpSecurity http) throws Exception {
    http.csrf().disable();
    http.headers().frameOptions().disable();
    http.headers().frameOptions().sameOrigin();
  }
}

class Desk {
  @GetMapping("/feed")
  String feed(@RequestParam String house) {
    String to = "https://" + house + "/feed";
    return later(to);
  }

  @GetMapping("/go")
  String go(@RequestParam String page) {
    return "forward:/" + page;
  }

  public String handleRequest(Map<String, String> event, Context context) throws Exception {
    String who = event.get("who");
    Connection db = DriverManager.getConnection(System.getenv("DB"));
    db.createStatement().executeUpdate("DELETE FROM berths WHERE owner = '" + who + "'");
    return "";
  }
}

interface Berths extends java.rmi.Remote {
  void put(Object ship) throws java.rmi.RemoteException;

  void name(String ship) throws java.rmi.RemoteException;
}

class Keeper implements X509TrustManager {
  public void checkClientTrusted(java.security.cert.X509Certificate[] chain, String kind) {}

  public void checkServerTrusted(java.security.cert.X509Certificate[] chain, String kind) {}
}
