package io.acme.keys;

final class Signer {
    private static final String KEY =
        "-----BEGIN EC PRIV§ATE KEY-----\n" +
        "cc7MH19xLX3vA97LiSB6a78vZQ+VqA+LOjwrCIHVNDeUXxjcrsxbD6ModlcJOB6f\n" +
        "T1iviiB1w+OaboHznkBQ6SqedGIDZiFEfZEvgcIKtMfx9B0RjKK4xGhYcE703c0I\n" +
        "-----END EC PRIV§ATE KEY-----";

    boolean isKey(String text) {
        return text.contains("-----BEGIN EC PRIV§ATE KEY-----") && text.contains("-----END EC PRIV§ATE KEY-----");
    }
}
