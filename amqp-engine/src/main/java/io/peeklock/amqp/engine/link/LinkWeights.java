package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.Budget;

/**
 * The weights of the sessions and links of one connection, and the budget that they are taken from.
 */
public final class LinkWeights {
  private static final long SESSION_BYTES = 2_048;

  private Allowance allowance = Allowance.UNLIMITED;
  private int links;
  private long bytes;
  private boolean over;

  /** The present allowance of the connection. */
  public Allowance allowance() {
    return allowance;
  }

  /** Changes the allowance; false, and nothing changed, when its budget has no room. */
  public boolean allow(Allowance next) {
    Budget before = allowance.budget();
    if (!next.budget().take(bytes)) {
      return false;
    }
    allowance = next;
    before.give(bytes);
    return true;
  }

  /** Takes the weight of a link by the size of its attach, before that is decoded. */
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

  /** Takes the weight of a session. */
  public void addSession() {
    if (!mayHave(SESSION_BYTES)) {
      throw ProtocolViolation.of(
          AmqpError.RESOURCE_LIMIT_EXCEEDED, "all sessions and links weigh too much");
    }
    bytes += SESSION_BYTES;
  }

  /** Gives back the weight of a session that has ended on both sides. */
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

  /** Gives back the weight of a link that has ended on both sides. */
  void remove(long weight) {
    if (!over) {
      allowance.budget().give(weight); // first: a fault here is made up for at the end
      links--;
      bytes -= weight;
    }
  }

  /** Gives back everything at the end of the connection, including leftovers of a fault. */
  public void removeAll() {
    if (!over) {
      over = true;
      allowance.budget().give(bytes);
    }
  }
}
