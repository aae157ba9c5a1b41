package io.peeklock.server.config;

import java.util.Map;
import java.util.TreeMap;

/**
 * Which budgets of docs/guide/limits.md can be set, and how far: the setting {@code limits}, {@code
 * NAME=N[,NAME=N]} with N in MiB. What is not said follows the memory.
 */
public final class BudgetPlan {
  private static final long MIB = 1L << 20;

  /** The hard ceilings, in MiB, of all namespaces together. */
  private static final Map<String, Long> CEILINGS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("unauthenticated_links", 128L),
              Map.entry("links", 512L),
              Map.entry("transactions", 512L),
              Map.entry("mailbox", 256L),
              Map.entry("metrics", 512L),
              Map.entry("unauthenticated_transfers", 64L),
              Map.entry("transfers", 1_024L),
              Map.entry("replies", 512L),
              Map.entry("unread", 128L),
              Map.entry("deliveries", 1_024L),
              Map.entry("messages", 16_384L),
              Map.entry("unauthenticated_http_bodies", 64L),
              Map.entry("http_bodies", 1_024L),
              Map.entry("http_answers", 512L),
              Map.entry("resident_bodies", 8_192L),
              Map.entry("staged_bodies", 512L),
              Map.entry("large_pieces", 1_024L),
              Map.entry("staged_large_bodies", 65_536L)));

  private BudgetPlan() {}

  /** The most that can be said of each budget, in MiB. */
  public static Map<String, Long> ceilings() {
    return Map.copyOf(CEILINGS);
  }

  /**
   * Takes one part of the setting.
   *
   * @param given {@code NAME=N}
   * @param onDisk whether the broker has a data folder
   * @throws ConfigurationException when there is no such budget, or it cannot be so large
   */
  static void take(ConfigSource.Value given, boolean onDisk, Map<String, Long> into) {
    var equals = given.value().indexOf('=');
    if (equals < 0) {
      throw given.wrong(
          "\"" + given.value() + "\" should be a budget and MiB, such as transfers=64");
    }
    var name = given.value().substring(0, equals).strip();
    var most = CEILINGS.get(name);
    if (name.equals("memory_bodies")) {
      throw given.wrong("memory_bodies is what memory-megabytes sets");
    }
    if (most == null) {
      throw given.wrong(
          "there is no budget \"" + name + "\"" + Nearest.hint(name, CEILINGS.keySet()));
    }
    if (!onDisk && isOfDisk(name)) {
      throw given.wrong(name + " follows memory-megabytes where there is no data folder");
    }
    long mebibytes;
    try {
      mebibytes = QueueDraft.number(given.value().substring(equals + 1).strip(), 1, most);
    } catch (IllegalArgumentException wrong) {
      throw given.wrong(name + ": " + wrong.getMessage());
    }
    if (into.put(name, mebibytes * MIB) != null) {
      throw given.wrong(name + " is said twice");
    }
  }

  private static boolean isOfDisk(String name) {
    return switch (name) {
      case "resident_bodies", "staged_bodies", "large_pieces", "staged_large_bodies" -> true;
      default -> false;
    };
  }
}
