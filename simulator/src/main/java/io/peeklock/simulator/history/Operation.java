package io.peeklock.simulator.history;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks. EntityGenerator are named by path: {@code q}, {@code t}, {@code
 * t/Subscriptions/s}, and {@code …/$DeadLetterQueue} behind a queue or subscription. A receiver has
 * a name that no other receiver of the run has.
 */
public sealed interface Operation {

  /** The entity that it is about, or its dead-letter queue; empty for none, or for several. */
  default String path() {
    return "";
  }

  /** How a receiver takes messages (S-085). */
  enum Mode {
    PEEK_LOCK,
    RECEIVE_AND_DELETE
  }

  /** How a lock is ended (S-030 to S-036, S-092). */
  enum Settlement {
    COMPLETE,
    ABANDON,
    DEFER,
    DEAD_LETTER,
    RELEASE
  }

  /** Which rule of a subscription: {@code color = 'c'} for the color it names, or all, or none. */
  record Rule(String name, Kind kind, @Nullable String color, @Nullable String setsColor) {
    /** A true filter, a false one, a correlation on the property color, the same in SQL. */
    public enum Kind {
      TRUE,
      FALSE,
      CORRELATION,
      SQL
    }
  }

  // ---- administration

  record CreateQueue(String path, Properties properties) implements Operation {}

  record CreateTopic(String path, Properties properties) implements Operation {}

  /** With its first rules; null for the one rule that selects all. */
  record CreateSubscription(String path, Properties properties, @Nullable List<Rule> rules)
      implements Operation {}

  record Update(String path, Properties properties) implements Operation {}

  record Delete(String path) implements Operation {}

  record AddRule(String subscription, Rule rule) implements Operation {
    @Override
    public String path() {
      return subscription;
    }
  }

  record RemoveRule(String subscription, String name) implements Operation {
    @Override
    public String path() {
      return subscription;
    }
  }

  /** Another rule in place of the one of its name, in one step. */
  record ReplaceRule(String subscription, Rule rule) implements Operation {
    @Override
    public String path() {
      return subscription;
    }
  }

  /** Everything is gone: messages and what is remembered of them, or entities as well. */
  record EmptyNamespace(boolean keepsEntities) implements Operation {}

  record Count(String path) implements Operation {}

  /** Batch delete (S-411): the oldest available ones. */
  record DeleteMessages(
      String path, int most, long enqueuedBeforeMillis, @Nullable String sessionId)
      implements Operation {}

  // ---- sending

  /**
   * One or several messages.
   *
   * @param atomic all or none (S-405); else each stands for itself
   * @param answered false for pre-settled transfers, to which no answer comes (S-018)
   */
  record Send(String path, List<SentMessage> messages, boolean atomic, boolean answered)
      implements Operation {}

  record CancelScheduled(String path, List<Long> sequenceNumbers) implements Operation {}

  // ---- receiving

  record OpenReceiver(String receiver, String path, Mode mode) implements Operation {}

  /** Accept a session, of this id or the next one; the receiver has its name from then on. */
  record AcceptSession(
      String receiver, String path, @Nullable String sessionId, Mode mode, long waitMillis)
      implements Operation {}

  /** Credit for so many messages more. */
  record Credit(String receiver, int more) implements Operation {}

  /** Give back what credit is left once what is there has been sent (S-087). */
  record Drain(String receiver) implements Operation {}

  record CloseReceiver(String receiver) implements Operation {}

  /**
   * End locks.
   *
   * @param changed application properties that the settlement changes; only with one lock
   * @param reason of a dead letter; null for none
   * @param answered false when the client settled first and waits for nothing
   * @param receiver whose session it is, where the entity has sessions; else null
   */
  record Settle(
      String path,
      Settlement settlement,
      List<Long> lockIds,
      Map<String, Object> changed,
      @Nullable String reason,
      boolean answered,
      @Nullable String receiver)
      implements Operation {}

  record Renew(String path, List<Long> lockIds) implements Operation {}

  record RenewSession(String receiver, String path, String sessionId) implements Operation {}

  record GetState(String receiver, String path, String sessionId) implements Operation {}

  /** Null clears it. */
  record SetState(String receiver, String path, String sessionId, @Nullable String state)
      implements Operation {}

  /**
   * Sessions that have messages or a state (S-259).
   *
   * @param setAfterMillis those whose state was set since; {@link Long#MAX_VALUE} for all
   */
  record ListSessions(String path, long setAfterMillis, int most) implements Operation {}

  record ReceiveDeferred(
      String path, List<Long> sequenceNumbers, Mode mode, @Nullable String receiver)
      implements Operation {}

  record Peek(String path, long fromSequenceNumber, int most, @Nullable String sessionId)
      implements Operation {}

  // ---- transactions

  /** A new one; everything that names it belongs to it. */
  record Declare(String transaction) implements Operation {}

  /** A send that waits for the end of a transaction. It is answered at once. */
  record SendIn(String transaction, String path, List<SentMessage> messages) implements Operation {}

  /** The same through another entity (S-301), which keeps what the path has no room for. */
  record SendVia(String transaction, String via, String path, List<SentMessage> messages)
      implements Operation {}

  /** Scheduled messages that are cancelled at the end of a transaction. */
  record CancelIn(String transaction, CancelScheduled cancel) implements Operation {
    @Override
    public String path() {
      return cancel.path();
    }
  }

  /** Settlements that wait for the end of a transaction. */
  record SettleIn(String transaction, Settle settle) implements Operation {
    @Override
    public String path() {
      return settle.path();
    }
  }

  /** A session's state that waits for the end of a transaction (S-525). */
  record SetStateIn(String transaction, SetState set) implements Operation {
    @Override
    public String path() {
      return set.path();
    }
  }

  record Discharge(String transaction, boolean commit) implements Operation {}
}
