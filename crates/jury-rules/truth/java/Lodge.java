package lodge;

import groovy.lang.GroovyShell;
import java.io.*;
import java.net.URL;
import java.security.MessageDigest;
import java.util.*;
import javax.jms.*;
import javax.naming.Context;
import javax.naming.directory.SearchControls;
import javax.script.ScriptEngine;
import javax.servlet.http.HttpServletResponse;
import javax.xml.parsers.*;
import org.apache.commons.mail.*;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.spel.standard.SpelExpressionParser;

class Lodge {
  Object discount(GroovyShell shell, String script) {
    return shell.evaluate(script);
  }

  Object fixedDiscount(GroovyShell shell) {
    return shell.evaluate("price * 0.9");
  }

  Object filter(Room room, String field) {
    ExpressionParser parser = new SpelExpressionParser();
    return parser.parseExpression(field + " == 2").getValue(room);
  }

  Object fixedFilter(Room room) {
    ExpressionParser parser = new SpelExpressionParser();
    return parser.parseExpression("beds == 2").getValue(room);
  }

  void run(String line) throws IOException {
    Runtime.getRuntime().exec(line);
  }

  void runKnown() throws IOException {
    Runtime.getRuntime().exec("uptime");
  }

  void extend(String name) {
    Runtime.getRuntime().loadLibrary(name + "-lock");
    Runtime.getRuntime().loadLibrary("lock");
  }

  InputStream pull(String address) throws IOException {
    return new URL(address).openStream();
  }

  InputStream pullKnown(String item) throws IOException {
    return new URL("https://stock.harbour.example/" + item).openStream();
  }

  void leave(HttpServletResponse response, String to) throws IOException {
    response.sendRedirect(to);
  }

  void leaveHome(HttpServletResponse response) throws IOException {
    response.sendRedirect("/home");
  }

  Object thaw(InputStream in) throws Exception {
    ObjectInputStream objects = new ObjectInputStream(in);
    return objects.readObject();
  }

  void receive(Message message) throws Exception {
    Object order = ((ObjectMessage) message).getObject();
    String text = ((TextMessage) message).getText();
  }

  DocumentBuilder open() throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    return factory.newDocumentBuilder();
  }

  DocumentBuilder openClosed() throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder();
  }

  boolean login(String guest, String hash) {
    return hash.equals(storedHash(guest));
  }

  boolean loginInTime(String guest, byte[] hash) {
    return MessageDigest.isEqual(hash, storedHash(guest).getBytes());
  }

  void announce(String guest, String password) {
    logger.info("guest " + guest + " has " + password);
    logger.info("guest " + guest + " has " + password.length());
  }

  boolean inside(File folder, File file) throws IOException {
    return file.getCanonicalPath().startsWith(folder.getCanonicalPath());
  }

  boolean reallyInside(File folder, File file) throws IOException {
    return file.getCanonicalPath().startsWith(folder.getCanonicalPath() + File.separator);
  }

  void directory(Hashtable<String, String> env) {
    env.put(Context.SECURITY_AUTHENTICATION, "none");
    env.put(Context.SECURITY_AUTHENTICATION, "simple");
  }

  void controls(SearchControls controls, SearchControls others) {
    controls.setReturningObjFlag(true);
    others.setReturningObjFlag(false);
  }

  void mail() throws Exception {
    Email email = new SimpleEmail();
    email.setSSLOnConnect(true);
  }

  void checkedMail() throws Exception {
    Email email = new SimpleEmail();
    email.setSSLOnConnect(true);
    email.setSSLCheckServerIdentity(true);
  }

  InputStream rates() throws IOException {
    return new URL("http://rates.bank-of-somewhere.com/today").openStream();
  }

  InputStream safeRates() throws IOException {
    return new URL("https://rates.bank-of-somewhere.com/today").openStream();
  }

  @RequestMapping("/rooms/book")
  public void book(long room) {
    desk.book(room);
  }

  @RequestMapping(value = "/rooms/free", method = RequestMethod.POST)
  public void free(long room) {
    desk.free(room);
  }
}
