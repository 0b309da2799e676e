package people;

import java.util.Hashtable;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.servlet.http.HttpServletRequest;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.springframework.ldap.support.LdapEncoder;
import org.w3c.dom.Document;

class Directory {
    NamingEnumeration<SearchResult> find(DirContext context, HttpServletRequest request) throws NamingException {
        String uid = request.getParameter("uid");
        String filter = "(&(objectClass=person)(uid=" + uid + "))";
        return context.search("ou=people,dc=example", filter, new SearchControls());
    }

    NamingEnumeration<SearchResult> findEncoded(DirContext context, HttpServletRequest request) throws NamingException {
        String uid = LdapEncoder.filterEncode(request.getParameter("uid"));
        return context.search("ou=people,dc=example", "(uid=" + uid + ")", new SearchControls());
    }

    NamingEnumeration<SearchResult> findBound(HttpServletRequest request) throws NamingException {
        InitialDirContext context = new InitialDirContext(new Hashtable<>());
        Object[] arguments = {request.getParameter("uid")};
        return context.search("ou=people", "(uid={0})", arguments, new SearchControls());
    }

    NamingEnumeration<SearchResult> inUnit(HttpServletRequest request) throws NamingException {
        DirContext context = new InitialDirContext(new Hashtable<>());
        String unit = "ou=" + request.getHeader("X-Unit") + ",dc=example";
        return context.search(unit, "(objectClass=person)", new SearchControls());
    }

    Object node(Document document, HttpServletRequest request) throws XPathExpressionException {
        XPath xpath = XPathFactory.newInstance().newXPath();
        String name = request.getParameter("name");
        return xpath.evaluate("/users/user[@name='" + name + "']", document, XPathConstants.NODE);
    }

    Object compiled(Document document, String name) throws XPathExpressionException {
        XPath xpath = XPathFactory.newInstance().newXPath();
        xpath.setXPathVariableResolver(variable -> name);
        return xpath.compile("/users/user[@name=$name]").evaluate(document, XPathConstants.NODE);
    }

    Object resource(HttpServletRequest request) throws NamingException {
        Context context = new InitialContext();
        return context.lookup(request.getParameter("resource"));
    }

    Object mail() throws NamingException {
        Context context = new InitialContext();
        return context.lookup("java:comp/env/mail/Session");
    }
}
