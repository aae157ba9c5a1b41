package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.Budget;

/** What the sessions and links of one connection weigh, and from which budget that is taken. */
public final class LinkWeights {
  private static final long SESSION_BYTES = 2_048;

  private Allowance allowance = Allowance.UNLIMITED;
  private int links;
  private long bytes;
  private boolean over;

  /** What the connection may have now. */
  public Allowance allowance() {
    return allowance;
  }

  /** Another allowance from now on; false, and nothing changed, when its budget is used up. */
  public boolean allow(Allowance next) {
    Budget before = allowance.budget();
    if (!next.budget().take(bytes)) {
      return false;
    }
    allowance = next;
    before.give(bytes);
    return true;
  }

  /** Weighs a link by its attach, before it is decoded. */
  long add(int attachBytes) {
    long weight = Allowance.weightOf(attachBytes);
    if (links >= allowance.links()) {
      allowance.budget().refuse();
    }
    if (links >= allowance.links() || !mayHave(weight)) {
      throw ProtocolViolation.of(
          AmqpError.RESOURCE_LIMIT_EXCEEDED,
          "the connection has too many links, or too large ones");
    }
    links++;
    bytes += weight;
    return weight;
  }

  /** Weighs a session. */
  public void addSession() {
    if (!mayHave(SESSION_BYTES)) {
      throw ProtocolViolation.of(
          AmqpError.RESOURCE_LIMIT_EXCEEDED, "all sessions and links weigh too much");
    }
    bytes += SESSION_BYTES;
  }

  /** A session is gone, from both sides. */
  public void removeSession() {
    if (!over) {
      allowance.budget().give(SESSION_BYTES); // first, as for a link
      bytes -= SESSION_BYTES;
    }
  }

  private boolean mayHave(long weight) {
    if (bytes + weight > allowance.linkBytes()) {
      allowance.budget().refuse();
      return false;
    }
    return allowance.budget().takeFairly(bytes, weight);
  }

  /** A link is gone, from both sides. */
  void remove(long weight) {
    if (!over) {
      allowance.budget().give(weight); // first: what this fails to give back is given at the end
      links--;
      bytes -= weight;
    }
  }

  /** The connection is gone: so is whatever it had, what a fault has left over included. */
  public void removeAll() {
    if (!over) {
      over = true;
      allowance.budget().give(bytes);
    }
  }
}
