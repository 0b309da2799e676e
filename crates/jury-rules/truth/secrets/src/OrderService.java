package io.acme.orders;

import java.sql.Connection;
import java.sql.DriverManager;

final class OrderService {
    private static final String JDBC = "jdbc:sqlserver://sql.prod.acme.io:1433;databaseName=orders;user=svc;password=adEp81§5aAvdT";
    private static final String LOCAL = "jdbc:sqlserver://localhost:1433;databaseName=orders;user=sa;password=Local1Dev";
    private static final String API_KEY = "WEVT4Olzsmx7DSuw§fNq9xcbSCSTLw5Uc";
    private static final String API_KEY_PROPERTY = "acme.orders.api.key.name2";

    Connection open() throws Exception {
        return DriverManager.getConnection(url(), "orders", password = "gH2$xh§aS98Apy");
    }

    Connection openConfigured(Settings settings) throws Exception {
        return DriverManager.getConnection(url(), settings.user(), settings.password());
    }
}
