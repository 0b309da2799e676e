package slip;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jsonwebtoken.Jwts;
import java.io.*;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.*;
import java.security.KeyStore;
import java.util.*;
import java.util.zip.*;
import javax.persistence.EntityManager;
import javax.servlet.http.*;
import javax.xml.XMLConstants;
import javax.xml.bind.*;
import javax.xml.parsers.*;
import javax.xml.transform.stream.*;
import javax.xml.validation.*;
import okhttp3.*;
import org.apache.commons.exec.*;
import org.apache.commons.lang3.RandomStringUtils;
import org.hibernate.Session;
import org.jdom2.input.SAXBuilder;
import org.springframework.http.*;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.multipart.MultipartFile;
import org.xml.sax.*;
import org.xml.sax.helpers.XMLReaderFactory;

@RestController
public class Slip {
  private JdbcTemplate jdbc;
  private EntityManager entities;
  private Session session;

  @GetMapping("/slips")
  List<?> find(@RequestParam String owner, @RequestParam(defaultValue = "id") String order) {
    jdbc.queryForList("SELECT * FROM slips WHERE owner = '" + owner + "'");
    jdbc.queryForList("SELECT * FROM slips WHERE owner = ?", owner);
    entities.createQuery("from Slip s where s.owner = '" + owner + "'");
    entities.createQuery("from Slip s where s.owner = :owner").setParameter("owner", owner);
    session.createSQLQuery(String.format("select * from slips order by %s", order)).list();
    StringBuilder sql = new StringBuilder("SELECT * FROM slips");
    sql.append(" WHERE owner = '").append(owner).append("'");
    return jdbc.queryForList(sql.toString());
  }

  @GetMapping("/hello")
  ResponseEntity<String> hello(@RequestParam String name) {
    return ResponseEntity.ok().contentType(MediaType.TEXT_HTML).body("<h1>" + name + "</h1>");
  }

  @PostMapping("/up")
  void up(@RequestParam MultipartFile file) throws Exception {
    Files.copy(file.getInputStream(), Paths.get("/srv/slips", file.getOriginalFilename()));
    file.transferTo(new File("/srv/slips/" + file.getOriginalFilename()));
  }

  @GetMapping("/fetch")
  void fetch(@RequestParam String to) throws Exception {
    HttpRequest.newBuilder(URI.create(to)).build();
    new Request.Builder().url(to).build();
    new Request.Builder().url("https://api.slip.example/" + to).build();
  }

  @GetMapping("/run")
  void run(@RequestParam String dir) throws Exception {
    new ProcessBuilder("/bin/sh", "-c", "ls " + dir).start();
    new ProcessBuilder(Arrays.asList("bash", "-c", dir)).start();
    new DefaultExecutor().execute(CommandLine.parse("ls " + dir));
    Runtime.getRuntime().exec(new String[] {"sh", "-c", "ls " + dir});
    Runtime.getRuntime().exec(new String[] {"ls", dir});
  }

  void unzip(ZipInputStream zip, File to) throws Exception {
    ZipEntry entry;
    while ((entry = zip.getNextEntry()) != null) {
      File target = new File(to, entry.getName());
      new FileOutputStream(target).close();
    }
  }

  void unzipSafe(ZipInputStream zip, Path to) throws Exception {
    ZipEntry entry;
    while ((entry = zip.getNextEntry()) != null) {
      Path target = to.resolve(entry.getName()).normalize();
      if (!target.startsWith(to)) {
        throw new IOException("outside");
      }
      Files.newOutputStream(target).close();
    }
  }

  void xml(InputStream in, String text) throws Exception {
    XMLReaderFactory.createXMLReader().parse(new InputSource(in));
    new SAXBuilder().build(in);
    JAXBContext.newInstance(Slip.class).createUnmarshaller().unmarshal(in);
  }

  void closed(InputStream in) throws Exception {
    DocumentBuilderFactory closed = DocumentBuilderFactory.newInstance();
    closed.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    closed.newDocumentBuilder().parse(in);
  }

  void keys(InputStream in) throws Exception {
    KeyStore.getInstance("JKS").load(in, "slip-word".toCharArray());
    byte[] password = material();
    new ObjectMapper().enableDefaultTyping();
    Jwts.parser().setSigningKey(password).parse("x");
    Jwts.parser().setSigningKey(password).parseClaimsJws("x");
  }

  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  static class Shape {}

  @CrossOrigin("*")
  @GetMapping("/open")
  String open() {
    return "";
  }
}

class Old extends HttpServlet {
  protected void doGet(HttpServletRequest req, HttpServletResponse resp) throws IOException {
    PrintWriter out = resp.getWriter();
    out.write(String.format("<b>%s</b>", req.getParameter("q")));
    out.println(org.owasp.encoder.Encode.forHtml(req.getParameter("q")));
    Cookie[] all = req.getCookies();
    for (Cookie one : all) {
      out.print(one.getValue());
    }
    try {
      work();
    } catch (Exception e) {
      e.printStackTrace(resp.getWriter());
    }
    org.apache.velocity.app.Velocity.evaluate(null, out, "x", req.getParameter("t"));
    new freemarker.template.Template("x", new StringReader(req.getParameter("t")));
    java.util.logging.Logger.getLogger("x").info("asked " + req.getParameter("q"));
    Files.readAllBytes(Paths.get("/srv/" + req.getParameter("f")));
  }
}

class Settings extends PreferenceActivity {
  protected boolean isValidFragment(String name) {
    return true;
  }
}

class Sounds extends PreferenceActivity {
  protected boolean isValidFragment(String name) {
    return Bells.class.getName().equals(name);
  }
}

class Wires {
  void check(java.security.cert.PKIXBuilderParameters rules, java.security.cert.PKIXBuilderParameters strict) {
    rules.setRevocationEnabled(false);
    strict.setRevocationEnabled(true);
  }

  Object client() {
    return new org.apache.http.impl.client.DefaultHttpClient();
  }

  Object modern() {
    return org.apache.http.impl.client.HttpClients.createDefault();
  }

  String stripTags(String value) {
    return value.replaceAll("<script>(.*?)</script>", "");
  }

  String stripSpaces(String value) {
    return value.replaceAll("\\s+", "");
  }

  @GetMapping("/tide")
  String tide(@RequestParam String place, org.springframework.web.client.RestTemplate rest) {
    rest.getForObject("https://tides.slip.example/today?unit=m&place=" + place, String.class);
    return rest.getForObject("https://tides.slip.example/today?place={p}", String.class, place);
  }

  void label(org.apache.wicket.markup.html.basic.Label open, org.apache.wicket.markup.html.basic.Label closed) {
    open.setEscapeModelStrings(false);
    closed.setEscapeModelStrings(true);
  }
}
