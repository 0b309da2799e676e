package net;

import io.jsonwebtoken.Claims;
import io.jsonwebtoken.Jwts;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509TrustManager;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.http.conn.ssl.NoopHostnameVerifier;
import org.apache.http.impl.client.HttpClients;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;

class Transport {
    private static final Logger log = LoggerFactory.getLogger(Transport.class);

    static class Blind implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    static class Pinned implements X509TrustManager {
        private final X509TrustManager inner;
        private final String pin;

        Pinned(X509TrustManager inner, String pin) {
            this.inner = inner;
            this.pin = pin;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            inner.checkClientTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            inner.checkServerTrusted(chain, type);
            if (!pin.equals(chain[0].getSerialNumber().toString(16))) {
                throw new CertificateException("not the pinned certificate");
            }
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return inner.getAcceptedIssuers();
        }
    }

    void open(HttpsURLConnection connection) {
        connection.setHostnameVerifier((host, session) -> true);
    }

    void openChecked(HttpsURLConnection connection) {
        connection.setHostnameVerifier((host, session) -> host.equals("api.example.com") && session.isValid());
    }

    Object client() {
        return HttpClients.custom()
                .setSSLHostnameVerifier(NoopHostnameVerifier.INSTANCE)
                .build();
    }

    SSLContext old() throws Exception {
        return SSLContext.getInstance("SSLv3");
    }

    SSLContext current() throws Exception {
        return SSLContext.getInstance("TLSv1.3");
    }

    Claims claims(String token) {
        return Jwts.parser().build().parseUnsecuredClaims(token).getPayload();
    }

    Claims verified(String token, java.security.PublicKey key) {
        return Jwts.parser().verifyWith(key).build().parseSignedClaims(token).getPayload();
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://db/shop", "shop", "Winter2024!");
    }

    Connection connectFromEnvironment() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://db/shop", "shop", System.getenv("DB_PASSWORD"));
    }

    void audit(HttpServletRequest request) {
        String user = request.getParameter("user");
        log.info("login of " + user);
        log.info("login of {}", user.replace('\n', '_').replace('\r', '_'));
    }

    void cors(HttpServletRequest request, HttpServletResponse response) {
        response.setHeader("Access-Control-Allow-Origin", request.getHeader("Origin"));
        response.setHeader("Access-Control-Allow-Credentials", "true");
    }

    void corsOfOne(HttpServletResponse response) {
        response.setHeader("Access-Control-Allow-Origin", "https://app.example.com");
        response.setHeader("Access-Control-Allow-Credentials", "true");
    }

    void security(HttpSecurity http) throws Exception {
        http.csrf().disable();
    }

    void securityKept(HttpSecurity http) throws Exception {
        http.csrf(csrf -> csrf.ignoringRequestMatchers("/hooks/**"));
    }

    boolean matches(HttpServletRequest request) {
        return Pattern.compile("^(\\w+\\s?)+$").matcher(request.getParameter("title")).matches();
    }

    boolean matchesLinear(HttpServletRequest request) {
        return Pattern.compile("^[\\w\\s]{1,80}$").matcher(request.getParameter("title")).matches();
    }
}
