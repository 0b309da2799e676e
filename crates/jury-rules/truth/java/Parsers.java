package xml;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.thoughtworks.xstream.XStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.util.Base64;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamReader;
import org.w3c.dom.Document;
import org.xml.sax.helpers.DefaultHandler;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class Parsers {
    Document open(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        DocumentBuilder builder = factory.newDocumentBuilder();
        return builder.parse(in);
    }

    Document openClosed(InputStream in) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        return builder.parse(in);
    }

    void stream(InputStream in) throws Exception {
        SAXParser parser = SAXParserFactory.newInstance().newSAXParser();
        parser.parse(in, new DefaultHandler());
    }

    void streamClosed(InputStream in) throws Exception {
        SAXParserFactory factory = SAXParserFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        SAXParser parser = factory.newSAXParser();
        parser.parse(in, new DefaultHandler());
    }

    XMLStreamReader pull(InputStream in) throws Exception {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        return factory.createXMLStreamReader(in);
    }

    XMLStreamReader pullClosed(InputStream in) throws Exception {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        return factory.createXMLStreamReader(in);
    }

    Object restore(HttpServletRequest request) throws IOException, ClassNotFoundException {
        byte[] state = Base64.getDecoder().decode(request.getParameter("state"));
        ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(state));
        return in.readObject();
    }

    Object fromXml(HttpServletRequest request) throws IOException {
        XStream stream = new XStream();
        return stream.fromXML(request.getInputStream());
    }

    Settings settings(HttpServletRequest request) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        return mapper.readValue(request.getInputStream(), Settings.class);
    }

    Object polymorphic(String json) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        mapper.enableDefaultTyping();
        return mapper.readValue(json, Object.class);
    }

    Object yaml(HttpServletRequest request) throws IOException {
        return new Yaml().load(request.getReader());
    }

    Map<String, Object> yamlSafe(HttpServletRequest request) throws IOException {
        Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
        return yaml.load(request.getReader());
    }
}
