package files;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.commons.io.FilenameUtils;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.multipart.MultipartFile;

class Downloads {
    private static final String ROOT = "/srv/files/";

    void send(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = request.getParameter("name");
        FileInputStream in = new FileInputStream(ROOT + name);
        in.transferTo(response.getOutputStream());
    }

    void sendNamed(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = FilenameUtils.getName(request.getParameter("name"));
        FileInputStream in = new FileInputStream(ROOT + name);
        in.transferTo(response.getOutputStream());
    }

    byte[] read(HttpServletRequest request) throws IOException {
        Path path = Paths.get(ROOT, request.getParameter("path"));
        return Files.readAllBytes(path);
    }

    byte[] readInside(HttpServletRequest request) throws IOException {
        Path root = Path.of(ROOT);
        Path path = root.resolve("report-" + Long.parseLong(request.getParameter("id")) + ".pdf");
        return Files.readAllBytes(path);
    }

    @PostMapping("/upload")
    void upload(@RequestParam MultipartFile file) throws IOException {
        File target = new File(new File(ROOT), file.getOriginalFilename());
        file.transferTo(target);
    }

    @PostMapping("/avatar")
    void avatar(@RequestParam MultipartFile file) throws IOException {
        File target = new File(ROOT, java.util.UUID.randomUUID() + ".png");
        file.transferTo(target);
    }

    void unpack(ZipInputStream zip, File folder) throws IOException {
        ZipEntry entry;
        while ((entry = zip.getNextEntry()) != null) {
            File target = new File(folder, entry.getName());
            try (FileOutputStream out = new FileOutputStream(target)) {
                zip.transferTo(out);
            }
        }
    }

    void unpackChecked(ZipFile zip, Path folder) throws IOException {
        Enumeration<? extends ZipEntry> entries = zip.entries();
        while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            Path target = folder.resolve(entry.getName()).normalize();
            if (!target.startsWith(folder)) {
                throw new IOException("outside of the folder: " + entry.getName());
            }
            try (InputStream in = zip.getInputStream(entry)) {
                Files.copy(in, target);
            }
        }
    }

    void createScratch() throws IOException {
        File scratch = File.createTempFile("export", ".csv");
        scratch.setReadable(true, false);
        scratch.setWritable(true, false);
        File mine = File.createTempFile("export", ".csv");
        mine.setWritable(true, true);
    }
}
