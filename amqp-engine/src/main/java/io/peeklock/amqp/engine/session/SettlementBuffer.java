package io.peeklock.amqp.engine.session;

import io.peeklock.amqp.engine.messaging.Outcome;

/**
 * The settlements of one session that are held back, a range in each direction, until its
 * connection is flushed.
 */
public final class SettlementBuffer {
  private final FlushQueue queue;
  private final SettlementRange incoming;
  private final SettlementRange outgoing;
  private boolean queued;

  /** An empty buffer, which enters the queue once it holds settlements. */
  public SettlementBuffer(FlushQueue queue, SessionWriter writer) {
    this.queue = queue;
    this.incoming = new SettlementRange(writer, true);
    this.outgoing = new SettlementRange(writer, false);
  }

  /** Settles deliveries that came from the client. */
  public void settleIncoming(int firstId, int lastId, Outcome outcome) {
    incoming.add(firstId, lastId, outcome);
    enqueue();
  }

  /**
   * Answers for a delivery that went out.
   *
   * @param settles false for an answer in a transaction, which leaves the delivery unsettled
   */
  public void answerOutgoing(int deliveryId, boolean settles, Outcome outcome) {
    outgoing.add(deliveryId, deliveryId, settles, outcome);
    enqueue();
  }

  /** Makes sure that {@link #flush} will be called. */
  private void enqueue() {
    if (!queued) {
      queued = true;
      queue.add(this);
    }
  }

  /** Writes what is held back, in both directions. */
  public void flush() {
    queued = false;
    incoming.flush();
    outgoing.flush();
  }

  /** Forgets it. */
  public void discard() {
    incoming.discard();
    outgoing.discard();
  }
}
