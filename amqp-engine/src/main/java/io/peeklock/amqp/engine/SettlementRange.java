package io.peeklock.amqp.engine;

import org.jspecify.annotations.Nullable;

/**
 * The settlements of one direction that are still held back, because the next one may extend them:
 * at most one range of neighbouring ids with equal outcomes.
 */
final class SettlementRange {
  private final AmqpSession session;
  private final boolean receiver;
  private int first;
  private int last;
  private @Nullable Outcome outcome;

  SettlementRange(AmqpSession session, boolean receiver) {
    this.session = session;
    this.receiver = receiver;
  }

  void add(int firstId, int lastId, Outcome answer) {
    if (answer.equals(outcome) && firstId == last + 1) {
      last = lastId;
      return;
    }
    if (answer.equals(outcome) && lastId == first - 1) {
      first = firstId;
      return;
    }
    flush();
    first = firstId;
    last = lastId;
    outcome = answer;
  }

  void flush() {
    if (outcome != null) {
      session.engine().writer().disposition(session.channel(), receiver, first, last, outcome);
      outcome = null;
    }
  }

  void discard() {
    outcome = null;
  }
}
