package truth.ferry;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.io.File;
import java.io.FileWriter;
import java.io.IOException;
import java.net.URI;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.PBEKeySpec;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.ibatis.annotations.Select;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.HtmlUtils;
import reactor.core.publisher.Mono;

class Crossings {
    private static final String BASE = "SELECT id, quay FROM crossings";
    private static final Pattern PLATE = Pattern.compile("^([A-Z]+-?)*[0-9]$");
    private static final Pattern QUAY = Pattern.compile("^[A-Z]+(?:-[A-Z]+)*$");

    private final WebClient harbour;
    private final JdbcTemplate jdbc;

    Crossings(WebClient.Builder builder, JdbcTemplate jdbc) {
        this.harbour = builder.build();
        this.jdbc = jdbc;
    }

    enum Order {
        QUAY("quay"), DEPARTURE("departs_at");

        final String column;

        Order(String column) {
            this.column = column;
        }
    }

    Mono<String> tide(ServerRequest request) {
        String station = request.queryParam("station").orElse("https://tides.example/1");
        return harbour.get()
                .uri(station)
                .retrieve()
                .bodyToMono(String.class);
    }

    Mono<String> tideOf(ServerRequest request) {
        int station = Integer.parseInt(request.pathVariable("station"));
        return harbour.get()
                .uri("https://tides.example/" + station)
                .retrieve()
                .bodyToMono(String.class);
    }

    Mono<ServerResponse> banner(ServerRequest request) {
        String text = request.pathVariable("text");
        return ServerResponse.ok()
                .contentType(MediaType.TEXT_HTML)
                .bodyValue("<marquee>" + text + "</marquee>");
    }

    Mono<ServerResponse> calmBanner(ServerRequest request) {
        String text = HtmlUtils.htmlEscape(request.pathVariable("text"));
        return ServerResponse.ok()
                .contentType(MediaType.TEXT_HTML)
                .bodyValue("<p>" + text + "</p>");
    }

    Mono<ServerResponse> disembark(ServerRequest request) {
        URI onward = URI.create(request.queryParam("onward").orElse("/"));
        return ServerResponse.seeOther(onward).build();
    }

    Mono<ServerResponse> embark(ServerRequest request) {
        return ServerResponse.seeOther(URI.create("/deck/" + Integer.parseInt(request.pathVariable("deck")))).build();
    }

    List<?> from(String quay) {
        return jdbc.queryForList(String.format("%s WHERE quay = '%s'", BASE, quay));
    }

    List<?> sorted(Order order) {
        return jdbc.queryForList(BASE + " ORDER BY " + order.column);
    }

    List<?> among(List<String> quays) {
        String marks = String.join(",", Collections.nCopies(quays.size(), "?"));
        return jdbc.queryForList(BASE + " WHERE quay IN (" + marks + ")", quays.toArray());
    }

    List<?> amongNamed(List<String> quays) {
        String named = quays.stream().map(quay -> "'" + quay + "'").collect(Collectors.joining(","));
        return jdbc.queryForList(BASE + " WHERE quay IN (" + named + ")");
    }
}

interface Manifests {
    @Select("SELECT * FROM manifests WHERE vessel = '${vessel}'")
    List<String> of(String vessel);

    @Select("SELECT * FROM manifests WHERE vessel = #{vessel}")
    List<String> ofBound(String vessel);
}

@Path("/logbook")
class Logbook {
    @QueryParam("page")
    private String page;

    @QueryParam("line")
    private int line;

    @GET
    public byte[] read() throws IOException {
        File file = new File("/srv/logbook", page);
        return java.nio.file.Files.readAllBytes(file.toPath());
    }

    @GET
    public byte[] readLine() throws IOException {
        File file = new File("/srv/logbook", "line-" + line);
        return java.nio.file.Files.readAllBytes(file.toPath());
    }

    void spill(HttpServletResponse response) throws IOException {
        try {
            read();
        } catch (IOException e) {
            e.printStackTrace(response.getWriter());
        }
    }

    void hush(HttpServletResponse response) throws IOException {
        try {
            read();
        } catch (IOException e) {
            response.sendError(500, "the logbook is closed");
        }
    }

    void jot(String note) throws IOException {
        try (FileWriter writer = new FileWriter("/tmp/logbook.draft")) {
            writer.write(note);
        }
    }

    void jotApart(String note) throws IOException {
        File draft = File.createTempFile("logbook", ".draft");
        try (FileWriter writer = new FileWriter(draft)) {
            writer.write(note);
        }
    }
}

class Tickets {
    boolean genuine(Mac mac, byte[] ticket, String seal) {
        String expected = Base64.getUrlEncoder().encodeToString(mac.doFinal(ticket));
        return seal.equals(expected);
    }

    boolean genuineAtAnySpeed(Mac mac, byte[] ticket, byte[] seal) {
        return MessageDigest.isEqual(mac.doFinal(ticket), seal);
    }

    PBEKeySpec quick(char[] phrase, byte[] salt) {
        return new PBEKeySpec(phrase, salt, 64, 256);
    }

    PBEKeySpec slow(char[] phrase, byte[] salt) {
        return new PBEKeySpec(phrase, salt, 400_000, 256);
    }

    String recoveryCode() {
        Random dice = new Random();
        return Integer.toString(dice.nextInt(1_000_000));
    }

    int seat() {
        Random dice = new Random();
        return dice.nextInt(120);
    }

    String etag(byte[] timetable) {
        return '"' + DigestUtils.md5Hex(timetable) + '"';
    }

    String stored(String passphrase) {
        return DigestUtils.md5Hex(passphrase);
    }

    boolean captain(String name, String password) {
        return name.equals("captain") && "Anch0r-Aweigh".equals(password);
    }

    boolean repeated(String password, String again) {
        return password.equals(again);
    }
}
