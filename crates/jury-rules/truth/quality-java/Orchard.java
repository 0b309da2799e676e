package orchard;

import java.io.*;
import java.math.BigDecimal;
import java.text.SimpleDateFormat;
import java.time.format.DateTimeFormatter;
import java.util.*;

class Orchard {
  static final SimpleDateFormat PICKED = new SimpleDateFormat("dd.MM.yyyy");
  static final DateTimeFormatter PRESSED = DateTimeFormatter.ofPattern("dd.MM.yyyy");
  private volatile long apples;
  private long pears;
  private Crate crate;
  private volatile Crate box;

  boolean sameRow(int[] row, int[] next) {
    return row.equals(next);
  }

  boolean equalRow(int[] row, int[] next) {
    return Arrays.equals(row, next);
  }

  String label(byte[] tag) {
    return "tag " + tag;
  }

  boolean has(double[] weights, double weight) {
    return Arrays.asList(weights).contains(weight);
  }

  boolean holds(Double[] loads, Double weight) {
    return Arrays.asList(loads).contains(weight);
  }

  boolean marker(byte first) {
    return first == 0xfe;
  }

  boolean mark(byte first) {
    return first == (byte) 0xfe;
  }

  void rows() {
    for (int at = 0; at < 40; at++) {
      walk(at);
      at++;
    }
    for (int at = 0; at < 40; at += 2) {
      walk(at);
    }
  }

  void pick() {
    apples++;
    pears++;
  }

  String sort(Optional<String> kind) {
    if (!kind.isPresent()) {
      return kind.get();
    }
    return kind.get();
  }

  boolean ripe(String colour) {
    return colour == "red";
  }

  boolean ready(String colour) {
    return "red".equals(colour);
  }

  boolean sameYear(Long one, Long other) {
    return one == other;
  }

  boolean equalYear(Long one, Long other) {
    return one.equals(other);
  }

  void ladder(Runnable climb) {
    new Thread(climb).run();
    new Thread(climb).start();
  }

  Crate crate() {
    if (crate == null) {
      synchronized (this) {
        if (crate == null) {
          crate = new Crate();
        }
      }
    }
    return crate;
  }

  Crate box() {
    if (box == null) {
      synchronized (this) {
        if (box == null) {
          box = new Crate();
        }
      }
    }
    return box;
  }

  String week(Date day) {
    return new SimpleDateFormat("dd.MM.YYYY").format(day);
  }

  String day(Date day) {
    return new SimpleDateFormat("dd.MM.yyyy").format(day);
  }

  BigDecimal tax() {
    return new BigDecimal(0.19);
  }

  BigDecimal duty() {
    return new BigDecimal("0.19");
  }

  int bin(String name, int bins) {
    return Math.abs(name.hashCode()) % bins;
  }

  int slot(String name, int bins) {
    return Math.floorMod(name.hashCode(), bins);
  }

  void plant(int depth) {
    if (depth < 0) {
      new IllegalArgumentException("too shallow");
    }
    if (depth > 90) {
      throw new IllegalArgumentException("too deep");
    }
  }

  boolean bare(String tree) {
    return tree == null && tree.isEmpty();
  }

  boolean empty(String tree) {
    return tree == null || tree.isEmpty();
  }

  void prune(List<String> trees) {
    for (String tree : trees) {
      if (tree.startsWith("old")) {
        trees.remove(tree);
      }
    }
    for (String tree : List.copyOf(trees)) {
      trees.remove(tree);
    }
  }

  void weigh(String[] sacks) {
    for (int at = 0; at <= sacks.length; at++) {
      carry(sacks[at]);
    }
    for (int at = 0; at < sacks.length; at++) {
      carry(sacks[at]);
    }
  }

  int first(File list) throws IOException {
    FileReader lines = new FileReader(list);
    return lines.read();
  }

  int second(File list) throws IOException {
    try (FileReader lines = new FileReader(list)) {
      return lines.read();
    }
  }

  void press(String juice) {
    juice.toUpperCase();
    carry(juice.toUpperCase());
  }

  boolean any(List<String> trees) {
    return trees.size() >= 0;
  }

  boolean some(List<String> trees) {
    return trees.size() > 0;
  }

  long wide() {
    return 1 << 36;
  }

  long wider() {
    return 1L << 36;
  }

  StringBuilder open() {
    return new StringBuilder('(');
  }

  StringBuilder shut() {
    return new StringBuilder(")");
  }

  void frost(int degrees) {
    if (degrees < 0);
    cover();
    if (degrees < 0) cover();
  }

  void store() {
    try {
      press("a");
    } catch (RuntimeException e) {
    }
    try {
      press("b");
    } catch (RuntimeException e) {
      carry(e.getMessage());
    }
  }

  Optional<Crate> full() {
    if (crate == null) {
      return null;
    }
    return Optional.of(crate);
  }

  void join(List<String> trees, List<String> saplings) {
    trees.addAll(trees);
    trees.addAll(saplings);
  }

  synchronized void rest() throws InterruptedException {
    if (pears == 0) {
      wait();
    }
    while (pears == 0) {
      wait();
    }
  }

  int any(Random dice, int trees) {
    return dice.nextInt() % trees;
  }

  int one(Random dice, int trees) {
    return dice.nextInt(trees);
  }

  boolean none(Crate some) {
    return some.equals(null);
  }

  boolean nothing(Crate some) {
    return some == null;
  }

  int depth() {
    try {
      return crate.hashCode();
    } catch (NullPointerException gone) {
      return 0;
    } catch (IllegalStateException shut) {
      return 1;
    }
  }

  int harvest() {
    try {
      return bin("a", 3);
    } finally {
      return 0;
    }
  }
}

class Crate implements Comparable<Crate> {
  long filled;

  public int compareTo(Crate other) {
    return (int) (filled - other.filled);
  }

  public boolean equals(Object other) {
    return other instanceof Crate && ((Crate) other).filled == filled;
  }
}

class Sack implements Comparable<Sack> {
  int filled;

  public int compareTo(Sack other) {
    return filled < other.filled ? -1 : 1;
  }

  public boolean equals(Sack other) {
    return other.filled == filled;
  }

  public int hashcode() {
    return filled;
  }
}

class Basket implements Comparable<Basket> {
  int filled;

  public int compareTo(Basket other) {
    return Integer.compare(filled, other.filled);
  }

  public boolean equals(Object other) {
    return other instanceof Basket && ((Basket) other).filled == filled;
  }

  public int hashCode() {
    return filled;
  }
}
