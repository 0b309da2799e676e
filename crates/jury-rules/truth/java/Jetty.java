package org.harbour;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.security.KeyPairGenerator;
import java.security.spec.RSAKeyGenParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.ldap.core.LdapTemplate;
import org.springframework.ldap.support.LdapNameBuilder;

class Jetty extends HttpServlet {
    private final String secret = System.getenv("BERTH");

    private Kryo onlyCrates() {
        Kryo kryo = new Kryo();
        kryo.setRegistrationRequired(true);
        kryo.register(Crate.class);
        return kryo;
    }

    private Kryo anything() {
        return new Kryo();
    }

    Object unload(HttpServletRequest request) throws Exception {
        Kryo crates = onlyCrates();
        return crates.readClassAndObject(new Input(request.getInputStream()));
    }

    Object unloadAll(HttpServletRequest request) throws Exception {
        Kryo crates = anything();
        return crates.readClassAndObject(new Input(request.getInputStream()));
    }

    void crew(HttpServletRequest request, LdapTemplate ldap) {
        ldap.lookup("ou=" + request.getParameter("deck") + ",dc=harbour");
        ldap.lookup(LdapNameBuilder.newInstance("dc=harbour").add("ou", request.getParameter("deck")).build());
    }

    Object pass(String slip) {
        JwtParser reader = Jwts.parser();
        reader.setSigningKey(secret);
        return reader.parse(slip).getBody();
    }

    Object passSigned(String slip) {
        JwtParser reader = Jwts.parser();
        reader.setSigningKey(secret);
        return reader.parseClaimsJws(slip).getBody();
    }

    void keys(KeyPairGenerator pairs) throws Exception {
        pairs.initialize(new RSAKeyGenParameterSpec(256, RSAKeyGenParameterSpec.F4));
        pairs.initialize(new RSAKeyGenParameterSpec(4096, RSAKeyGenParameterSpec.F4));
    }

    IvParameterSpec first() {
        byte[] start = {(byte) 7, (byte) 7, (byte) 7, (byte) 7, (byte) 7, (byte) 7, (byte) 7, (byte) 7};
        return new IvParameterSpec(start);
    }

    IvParameterSpec counted(long count) {
        byte[] start = {(byte) 7, (byte) 7, (byte) 7, (byte) 7, (byte) (count >> 24), (byte) (count >> 16), (byte) (count >> 8), (byte) count};
        return new IvParameterSpec(start);
    }

    Object toll(HttpServletRequest request) {
        String formula = request.getParameter("formula");
        return new SpelExpressionParser().parseExpression(formula).getValue();
    }

    Object tollOfNumbers(HttpServletRequest request) {
        String formula = request.getParameter("formula");
        SimpleEvaluationContext plain = SimpleEvaluationContext.forReadOnlyDataBinding().build();
        return new SpelExpressionParser().parseExpression(formula).getValue(plain);
    }

    public void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        try {
            unload(request);
        } catch (Exception sunk) {
            response.getWriter().println(inWords(sunk));
        }
    }

    public void doPost(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        try {
            unload(request);
        } catch (Exception sunk) {
            log(inWords(sunk));
            response.getWriter().println("the crate was not unloaded");
        }
    }

    private static String inWords(Throwable sunk) {
        StringWriter words = new StringWriter();
        sunk.printStackTrace(new PrintWriter(words));
        return words.toString();
    }
}
