package io.peeklock.server;

import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.http.HttpLimits;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServerSettings;

/**
 * The budgets of the process: by its memory, or as the operator says, and in sum within what there
 * is. docs/guide/limits.md has the arithmetic.
 *
 * @param share those of each namespace
 * @param amqp shared by all AMQP connections
 * @param http shared by all HTTP connections
 */
record Budgets(MemoryShare share, AmqpBudgets amqp, HttpLimits http) {
  private static final long MIB = 1L << 20;

  /** The frames of deliveries are in buffers that double as they grow. */
  private static final long GROWTH = 2;

  /**
   * Those of this process.
   *
   * @throws ConfigurationException when what is said does not fit into the memory
   */
  static Budgets of(ServerSettings settings) {
    var namespaces = settings.namespaces().size() + 1;
    var budgets = of(MemoryShare.of(namespaces).saying(settings.budgets()));
    if (!settings.budgets().isEmpty()) {
      budgets.check(settings.data() != null);
    }
    return budgets;
  }

  /** Those of so much memory. */
  static Budgets of(MemoryShare share) {
    var http = HttpLimits.of(share.networkBytes());
    return new Budgets(
        share,
        AmqpBudgets.of(share.heapBytes(), share.networkBytes()).with(share.said()),
        http.withBodyBytes(
            share.said().getOrDefault("http_bodies", http.stagedBytes()),
            share.said().getOrDefault("unauthenticated_http_bodies", http.unauthenticatedBytes()),
            share.said().getOrDefault("http_answers", http.answerBytes())));
  }

  /** Refuses what does not fit, with one sentence. */
  void check(boolean onDisk) {
    within("heap", heap(), share.heapBytes() * 5 / 6, share.heapBytes(), "PEEKLOCK_HEAP");
    within(
        "network's direct memory",
        network(),
        share.networkBytes() * 24 / 25,
        share.networkBytes(),
        "PEEKLOCK_MEMORY");
    if (onDisk) {
      within(
          "bodies' direct memory",
          bodies(),
          share.bodyBytes() * 24 / 25,
          share.bodyBytes(),
          "PEEKLOCK_BODY_MEMORY");
    }
  }

  private static void within(String part, long sum, long most, long all, String remedy) {
    if (sum > most) {
      throw new ConfigurationException(
          "limits: the budgets of the "
              + part
              + " come to "
              + (sum + MIB - 1) / MIB
              + " MiB, of "
              + all / MIB
              + " MiB they may take "
              + most / MIB
              + "; "
              + remedy
              + " gives more");
    }
  }

  private long heap() {
    return amqp.unauthenticatedLinks().most()
        + amqp.links().most()
        + amqp.transactions().most()
        + share.namespaces() * (share.mailbox() + share.metrics() + share.messages() * 9 / 8)
        + share.unauthenticatedHeadBytes();
  }

  private long network() {
    return amqp.unauthenticatedBytes().most()
        + amqp.partialBytes().most()
        + amqp.replyBytes().most()
        + amqp.unreadBytes().most()
        + http.unauthenticatedBytes()
        + http.stagedBytes()
        + http.answerBytes()
        + share.namespaces() * GROWTH * share.deliveries();
  }

  private long bodies() {
    return share.namespaces()
        * (share.resident() + share.staged() + share.largePieces() + share.deliveries());
  }
}
