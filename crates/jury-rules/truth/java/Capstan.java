package harbour;

import java.io.File;
import java.security.MessageDigest;
import java.util.regex.Pattern;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.validation.ConstraintValidatorContext;
import org.apache.commons.lang3.RegExUtils;

class Capstan {
  boolean named(HttpServletRequest request, String line) {
    return line.matches(".*" + request.getParameter("ship"));
  }

  boolean plainlyNamed(HttpServletRequest request, String line) {
    return line.matches(".*" + Pattern.quote(request.getParameter("ship")));
  }

  String without(HttpServletRequest request, String line) {
    return RegExUtils.removeAll(line, request.getParameter("ship"));
  }

  boolean literally(HttpServletRequest request, String line) {
    return Pattern.compile(request.getParameter("ship"), Pattern.LITERAL).matcher(line).find();
  }

  void board(HttpServletResponse response, String ticket) {
    response.addHeader("Set-Cookie", "ticket=" + ticket + "; Secure");
    response.addHeader("Set-Cookie", "ticket=" + ticket + "; Secure; HttpOnly");
  }

  boolean refuse(String ship, ConstraintValidatorContext found) {
    found.buildConstraintViolationWithTemplate("no ship " + ship).addConstraintViolation();
    found.buildConstraintViolationWithTemplate("no such ship").addConstraintViolation();
    return false;
  }

  void enrol(Sailor sailor, String entered) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(entered.getBytes());
    sailor.setPassword(digest.digest());
  }

  void open(HttpServletResponse response) {
    response.setHeader("Access-Control-Allow-Origin", "null");
    response.setHeader("Access-Control-Allow-Origin", "https://harbour.example");
  }
}
