package org.harbour;

class Jetty {
    String named(char[] letters) {
        return String.valueOf(letters);
    }

    String numbered(byte[] berths) {
        return String.valueOf(berths);
    }
}
