package ops;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;

class Diagnostics {
    private static final String SHELL = "/bin/sh";

    String ping(HttpServletRequest req) throws IOException {
        String host = req.getParameter("host");
        Process process = Runtime.getRuntime().exec("ping -c 1 " + host);
        return read(process);
    }

    String uptime() throws IOException {
        return read(Runtime.getRuntime().exec("uptime -p"));
    }

    String lookup(HttpServletRequest req) throws IOException {
        String name = "";
        for (Cookie cookie : req.getCookies()) {
            if (cookie.getName().equals("host")) {
                name = java.net.URLDecoder.decode(cookie.getValue(), "UTF-8");
                break;
            }
        }
        List<String> command = new ArrayList<>();
        command.add(SHELL);
        command.add("-c");
        command.add("nslookup " + name);
        ProcessBuilder builder = new ProcessBuilder();
        builder.command(command);
        return read(builder.start());
    }

    String disk(HttpServletRequest req) throws IOException {
        int depth = Integer.parseInt(req.getParameter("depth"));
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "du -d " + depth + " /srv | sort -n");
        return read(builder.start());
    }

    String archive(HttpServletRequest req) throws IOException {
        String[] shell = {"bash", "-c", "tar czf - " + req.getQueryString()};
        return read(new ProcessBuilder(shell).start());
    }

    String logs() throws IOException {
        String[] shell = {"bash", "-c", "tail -n 100 /var/log/app.log | grep ERROR"};
        return read(new ProcessBuilder(shell).start());
    }

    private static String read(Process process) throws IOException {
        StringBuilder text = new StringBuilder();
        BufferedReader reader = new BufferedReader(new InputStreamReader(process.getInputStream()));
        String line;
        while ((line = reader.readLine()) != null) {
            text.append(line);
        }
        return text.toString();
    }
}
