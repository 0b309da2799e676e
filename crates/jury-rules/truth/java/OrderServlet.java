package shop.web;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.sql.DataSource;

public class OrderServlet extends HttpServlet {
    private static final String TABLE = "orders";
    private static final Map<String, String> COLUMNS = Map.of("date", "created_at", "total", "amount");

    private final DataSource pool;

    public OrderServlet(DataSource pool) {
        this.pool = pool;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String customer = request.getParameter("customer");
        try (Connection connection = pool.getConnection(); Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("SELECT * FROM orders WHERE customer = '" + customer + "'");
            render(rows, response);
            ResultSet all = statement.executeQuery("SELECT count(*) FROM " + TABLE + " WHERE open = 1");
            render(all, response);
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String note = request.getHeader("X-Note");
        StringBuilder sql = new StringBuilder("UPDATE orders SET note = '");
        sql.append(note).append("' WHERE id = ");
        sql.append(Integer.parseInt(request.getParameter("id")));
        try (Connection connection = pool.getConnection()) {
            Statement statement = connection.createStatement();
            statement.executeUpdate(sql.toString());

            StringBuilder counted = new StringBuilder("UPDATE orders SET seen = 1 WHERE id = ");
            counted.append(Integer.parseInt(request.getParameter("id")));
            statement.executeUpdate(counted.toString());
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    List<String> byStatus(Connection connection, HttpServletRequest request) throws SQLException {
        String query = String.format("SELECT id FROM orders WHERE status = '%s'", request.getParameter("status"));
        PreparedStatement prepared = connection.prepareStatement(query);
        List<String> ids = new ArrayList<>();
        ResultSet rows = prepared.executeQuery();
        while (rows.next()) {
            ids.add(rows.getString(1));
        }
        return ids;
    }

    List<String> byStatusBound(Connection connection, HttpServletRequest request) throws SQLException {
        PreparedStatement prepared = connection.prepareStatement("SELECT id FROM orders WHERE status = ?");
        prepared.setString(1, request.getParameter("status"));
        List<String> ids = new ArrayList<>();
        ResultSet rows = prepared.executeQuery();
        while (rows.next()) {
            ids.add(rows.getString(1));
        }
        return ids;
    }

    void sorted(Statement statement, HttpServletRequest request) throws SQLException {
        Map<String, Object> given = new HashMap<>();
        given.put("limit", "10");
        given.put("sort", request.getParameter("sort"));
        String order = (String) given.get("sort");
        statement.execute("SELECT * FROM orders ORDER BY " + order);
        String column = COLUMNS.getOrDefault(request.getParameter("sort"), "created_at");
        String direction = "desc".equals(request.getParameter("dir")) ? "DESC" : "ASC";
        statement.execute("SELECT * FROM orders ORDER BY created_at " + direction);
    }

    private void render(ResultSet rows, HttpServletResponse response) {
    }
}
