package io.peeklock.amqp.engine.session;

import io.peeklock.amqp.engine.messaging.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * The settlements of one direction that are held back, as the next one may extend them: at most one
 * range of neighbouring ids with equal outcomes.
 */
final class SettlementRange {
  private final SessionWriter writer;
  private final boolean receiver;
  private int first;
  private int last;
  private boolean settled;
  private @Nullable Outcome outcome;

  SettlementRange(SessionWriter writer, boolean receiver) {
    this.writer = writer;
    this.receiver = receiver;
  }

  /** Adds an answer that settles, which JavaScript waits for (T-43). */
  void add(int firstId, int lastId, Outcome answer) {
    add(firstId, lastId, true, answer);
  }

  /**
   * Adds an answer.
   *
   * @param settles false for an answer in a transaction, which leaves the deliveries unsettled
   */
  void add(int firstId, int lastId, boolean settles, Outcome answer) {
    boolean isSame = settles == settled && answer.equals(outcome);
    if (isSame && firstId == last + 1) {
      last = lastId;
      return;
    }
    if (isSame && lastId == first - 1) {
      first = firstId;
      return;
    }
    flush();
    settled = settles;
    first = firstId;
    last = lastId;
    outcome = answer;
  }

  void flush() {
    if (outcome != null) {
      writer.disposition(receiver, first, last, settled, outcome);
      outcome = null;
    }
  }

  void discard() {
    outcome = null;
  }
}
