package web;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URL;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.owasp.encoder.Encode;
import org.owasp.esapi.ESAPI;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.client.RestTemplate;

@Controller
class Pages {
    private final RestTemplate rest = new RestTemplate();

    void hello(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/html");
        PrintWriter out = response.getWriter();
        String name = request.getParameter("name");
        out.println("<h1>Hello " + name + "</h1>");
        out.println("<p>Hello " + ESAPI.encoder().encodeForHTML(name) + "</p>");
    }

    void echo(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String[] values = request.getParameterValues("v");
        String first = values == null ? "" : values[0];
        response.getWriter().write(first);
        response.getWriter().write(Encode.forHtml(first));
    }

    void table(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int size = Integer.parseInt(request.getParameter("size"));
        response.getWriter().printf("<table width=%d>", size);
        response.getWriter().format("<caption>%s</caption>", request.getHeader("Referer"));
    }

    void next(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String next = request.getParameter("next");
        response.sendRedirect(next);
    }

    void home(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.sendRedirect(request.getContextPath() + "/home");
    }

    @GetMapping("/leave")
    public String leave(@RequestParam String to) {
        return "redirect:" + to;
    }

    @GetMapping("/back")
    public String back(@RequestParam long page) {
        return "redirect:/list?page=" + page;
    }

    @GetMapping("/fetch")
    public String fetch(@RequestParam String url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
        return new String(connection.getInputStream().readAllBytes());
    }

    @GetMapping("/rate")
    public String rate(@RequestParam String currency) {
        return rest.getForObject("https://rates.example.com/v1/{currency}", String.class, currency);
    }

    @GetMapping("/proxy")
    public String proxy(@RequestParam String host) {
        return rest.getForObject("http://" + host + "/status", String.class);
    }

    @GetMapping("/health")
    public String health() {
        return rest.getForObject("http://inventory:8080/status", String.class);
    }

    void remember(HttpServletRequest request, HttpServletResponse response) {
        Cookie cookie = new Cookie("session", request.getSession().getId());
        cookie.setSecure(false);
        cookie.setHttpOnly(true);
        response.addCookie(cookie);
    }

    void rememberSafely(HttpServletRequest request, HttpServletResponse response) {
        Cookie cookie = new Cookie("session", request.getSession().getId());
        cookie.setSecure(true);
        cookie.setHttpOnly(true);
        response.addCookie(cookie);
    }

    void track(HttpServletResponse response, String session) {
        Cookie cookie = new Cookie("session", session);
        cookie.setSecure(true);
        cookie.setHttpOnly(false);
        response.addCookie(cookie);
    }

    void header(HttpServletRequest request, HttpServletResponse response) {
        response.setHeader("X-Language", request.getParameter("lang"));
        String safe = request.getParameter("lang").replaceAll("[\r\n]", "");
        response.setHeader("X-Language", safe);
    }

    void session(HttpServletRequest request) {
        String theme = request.getParameter("theme");
        request.getSession().setAttribute(theme, "1");
        request.getSession().setAttribute("theme", "dark");
    }
}
