package flows;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

public class Flows extends HttpServlet {
    private Statement statement;

    @Override
    public void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String value = "";
        Enumeration<String> headers = request.getHeaders("X-Filter");
        if (headers != null && headers.hasMoreElements()) {
            value = headers.nextElement();
        }
        value = java.net.URLDecoder.decode(value, "UTF-8");
        String kept = new Inner().keep(value);
        String fixed = new Inner().replace(value);
        try {
            statement.executeQuery("select * from t where a = '" + kept + "'");
            statement.executeQuery("select * from t where b = '" + fixed + "'");
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    private class Inner {
        String keep(String param) {
            StringBuilder text = new StringBuilder(param);
            return text.append("_SafeStuff").toString();
        }

        String replace(String param) {
            String result = "constant";
            if (param.length() > 3) {
                result = "long";
            }
            return result;
        }
    }

    void listed(HttpServletRequest request) throws SQLException {
        Map<String, String[]> given = request.getParameterMap();
        String[] values = given.get("v");
        String value = values != null ? values[0] : "";
        List<String> items = new ArrayList<String>();
        items.add("first");
        items.add(value);
        statement.executeUpdate("delete from t where a = '" + items.get(1) + "'");
    }

    void chosen(HttpServletRequest request) throws SQLException {
        String value = request.getParameter("v");
        String table;
        switch (value) {
            case "a":
                table = "alpha";
                break;
            case "b":
                table = "beta";
                break;
            default:
                table = "gamma";
                break;
        }
        statement.executeUpdate("delete from " + table);
    }

    void always(HttpServletRequest request) throws SQLException {
        String value = request.getParameter("v");
        int number = 86;
        String result;
        if ((7 * 42) - number > 200) {
            result = "always";
        } else {
            result = value;
        }
        statement.executeUpdate("delete from t where a = '" + result + "'");
    }

    void never(HttpServletRequest request) throws SQLException {
        String value = request.getParameter("v");
        int number = 106;
        String result = (7 * 18) + number > 200 ? value : "never";
        statement.executeUpdate("delete from t where a = '" + result + "'");
    }

    void checked(HttpServletRequest request) throws SQLException {
        String value = request.getParameter("v");
        if (!value.matches("[a-z]{1,20}")) {
            return;
        }
        statement.executeUpdate("delete from " + value);
    }

    private static String pass(String text, HttpServletRequest request) {
        String upper = text.toUpperCase();
        return upper;
    }

    void helped(HttpServletRequest request) throws SQLException {
        String value = pass(request.getQueryString(), request);
        statement.addBatch("insert into log values ('" + value + "')");
        statement.addBatch("insert into log values ('" + value.length() + "')");
    }
}
