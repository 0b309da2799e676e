package pier;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import javax.naming.directory.*;
import javax.servlet.http.*;
import javax.xml.transform.*;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.*;
import org.springframework.web.bind.annotation.*;

public class Pier extends HttpServlet {
  protected void doGet(HttpServletRequest asked, HttpServletResponse answer) {
    check(asked.getParameter("password"));
    check(asked.getParameter("boat"));
  }

  boolean ours(URI to) {
    return to.getHost().endsWith("pier.org");
  }

  boolean oursOnly(URI to) {
    return to.getHost().endsWith(".pier.org");
  }

  void copy(InputStream in, OutputStream out) throws Exception {
    TransformerFactory.newInstance().newTransformer().transform(new StreamSource(in), new StreamResult(out));
  }

  void write(org.w3c.dom.Document page, OutputStream out) throws Exception {
    TransformerFactory.newInstance().newTransformer().transform(new DOMSource(page), new StreamResult(out));
  }

  void find(DirContext staff, String filter) throws Exception {
    staff.search("ou=pier", filter, new SearchControls());
    staff.search("ou=pier", "(objectClass=person)", new SearchControls());
  }

  @CrossOrigin(maxAge = 60)
  @GetMapping("/boats")
  String boats() {
    return "";
  }

  @CrossOrigin(origins = "https://app.pier.org")
  @GetMapping("/own")
  String own() {
    return "";
  }
}
