package io.peeklock.amqp.limit;

import io.netty.util.internal.PlatformDependent;
import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.engine.limits.HalfFrameListener;
import io.peeklock.runtime.intake.HalfReceived;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.thread.AnyThread;
import java.util.List;
import java.util.Map;

/**
 * What all AMQP connections of the process may hold in sum, in parts of heap and direct memory:
 * unauthenticated clients, which have put no token yet, have budgets of their own.
 * docs/guide/limits.md has the arithmetic.
 *
 * @param unauthenticatedLinks heap of the links of unauthenticated clients
 * @param links heap of the links of all others
 * @param unauthenticatedBytes direct memory of unauthenticated clients: requests and frames half
 *     received, answers that wait
 * @param partialBytes direct memory of deliveries and frames half received, of all others
 * @param replyBytes direct memory of answers that wait for credit, of all others
 * @param unreadBytes direct memory of what waits for the sockets of those who do not read and is in
 *     no other budget, of all others
 * @param transactions heap of what waits in open transactions
 * @param halfReceived what takes of {@code partialBytes}
 */
public record AmqpBudgets(
    Budget unauthenticatedLinks,
    Budget links,
    Budget unauthenticatedBytes,
    Budget partialBytes,
    Budget replyBytes,
    Budget unreadBytes,
    Budget transactions,
    HalfReceived halfReceived) {
  /** Sessions, links and what they weigh before a token: enough for several token links. */
  static final int UNAUTHENTICATED_SESSIONS = 8;

  public static final int UNAUTHENTICATED_LINKS = 16;
  static final long UNAUTHENTICATED_LINK_BYTES = 256 << 10;

  /** Of one client: requests half received, and answers that wait; a token has some KB. */
  public static final long UNAUTHENTICATED_BYTES = 64 << 10;

  /** A session with two links, as it takes to put a token. */
  private static final long UNAUTHENTICATED_LITTLE_LINKS = 16 << 10;

  /** The answers to some tokens. */
  private static final long UNAUTHENTICATED_LITTLE_BYTES = 2 << 10;

  /** For tests of the others, and where nothing is said: it is a 64th of the network's memory. */
  private static final int UNREAD_PART = 8;

  private static final int MOST_LINKS = 10_000;

  private static final AmqpBudgets PROCESS =
      of(Runtime.getRuntime().maxMemory(), PlatformDependent.maxDirectMemory());

  /** Those with these bounds, of which nothing is taken; unread may be an eighth of the replies. */
  public AmqpBudgets(
      Budget unauthenticatedLinks,
      Budget links,
      Budget unauthenticatedBytes,
      Budget partialBytes,
      Budget replyBytes,
      Budget transactions) {
    this(
        unauthenticatedLinks,
        links,
        unauthenticatedBytes,
        partialBytes,
        replyBytes,
        new Budget(replyBytes.most() / UNREAD_PART),
        transactions,
        new HalfReceived(partialBytes::taken, partialBytes.most()));
  }

  /** Those of this process, shared by all its namespaces: there is one memory. */
  public static AmqpBudgets ofProcess() {
    return PROCESS;
  }

  /** Shares of so much heap and direct memory of the network. */
  public static AmqpBudgets of(long heapBytes, long networkBytes) {
    return new AmqpBudgets(
        links(heapBytes / 16),
        new Budget(heapBytes / 8),
        bytes(networkBytes / 32),
        new Budget(networkBytes / 4),
        new Budget(networkBytes / 8),
        new Budget(heapBytes / 16));
  }

  /**
   * New ones with these bounds in place of those of the same names, as {@link #uses} has them.
   *
   * @param bounds in bytes; other names are left aside
   */
  public AmqpBudgets with(Map<String, Long> bounds) {
    var partials = new Budget(bounds.getOrDefault("transfers", partialBytes.most()));
    return new AmqpBudgets(
        links(bounds.getOrDefault("unauthenticated_links", unauthenticatedLinks.most())),
        new Budget(bounds.getOrDefault("links", links.most())),
        bytes(bounds.getOrDefault("unauthenticated_transfers", unauthenticatedBytes.most())),
        partials,
        new Budget(bounds.getOrDefault("replies", replyBytes.most())),
        new Budget(bounds.getOrDefault("unread", unreadBytes.most())),
        new Budget(bounds.getOrDefault("transactions", transactions.most())),
        new HalfReceived(partials::taken, partials.most()));
  }

  /** Half of it is left to those who want no more than to put a token. */
  private static Budget links(long most) {
    return new Budget(most, UNAUTHENTICATED_LITTLE_LINKS, most / 2);
  }

  private static Budget bytes(long most) {
    return new Budget(most, UNAUTHENTICATED_LITTLE_BYTES, most / 2);
  }

  /** What of them is taken now. */
  @AnyThread
  public List<BudgetUse> uses() {
    return List.of(
        use("unauthenticated_links", unauthenticatedLinks),
        use("unauthenticated_transfers", unauthenticatedBytes),
        use("links", links),
        use("transfers", partialBytes),
        use("replies", replyBytes),
        use("unread", unreadBytes),
        use("transactions", transactions));
  }

  private static BudgetUse use(String name, Budget budget) {
    return new BudgetUse(name, budget.taken(), budget.most(), budget.refused());
  }

  Allowance forUnauthenticated(HalfFrameListener halfFrame) {
    return new Allowance(
        UNAUTHENTICATED_SESSIONS,
        UNAUTHENTICATED_LINKS,
        UNAUTHENTICATED_LINK_BYTES,
        unauthenticatedLinks,
        unauthenticatedBytes,
        halfFrame);
  }

  Allowance forAuthenticated(HalfFrameListener halfFrame) {
    return new Allowance(
        Integer.MAX_VALUE, MOST_LINKS, links.most() / 2, links, partialBytes, halfFrame);
  }
}
