package io.peeklock.kernel.send;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.state.QueueState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The copies for one subscription while they are collected. Of thousands of subscriptions most get
 * the same copies, so a column is kept only once its values differ from the default.
 */
final class CopyColumns {

  private static final int AT_FIRST = 8;

  private final QueueState queue;
  private long firstNumber;
  private int count;
  private long shared; // the newest message of which the subscription has the shared copy
  private int @Nullable [] messages; // null while it has one of each
  private long @Nullable [] expiries; // null while none expires
  private final @Nullable List<String> sessionIds;
  private DeadLetterCause @Nullable [] causes;

  CopyColumns(QueueState queue) {
    this.queue = queue;
    this.sessionIds = queue.definition().requiresSession() ? new ArrayList<>() : null;
    this.firstNumber = queue.nextSequenceNumber();
  }

  QueueState queue() {
    return queue;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Whether this is the first rule that asks for the shared copy of a message (S-318). */
  boolean beginShared(long message) {
    boolean first = shared != message;
    shared = message;
    return first;
  }

  /**
   * Adds a copy.
   *
   * @param message the index of the copied message in the fact
   * @param sessionId null for none; not kept by a subscription without sessions
   * @param cause why the copy is a dead letter at once
   * @return its number
   */
  long add(int message, long expiresAtMillis, @Nullable String sessionId, DeadLetterCause cause) {
    if (messages != null || message != count) {
      setMessage(message);
    }
    if (expiries != null || expiresAtMillis != FOREVER) {
      setExpiry(expiresAtMillis);
    }
    if (sessionIds != null) {
      sessionIds.add(sessionId == null ? "" : sessionId); // the cause says so
    }
    if (cause != DeadLetterCause.NONE) {
      setCause(cause);
    }
    return firstNumber + count++;
  }

  private void setMessage(int message) {
    int[] all = messages == null ? oneOfEach(Math.max(AT_FIRST, count * 2)) : messages;
    if (count == all.length) {
      all = Arrays.copyOf(all, count * 2);
    }
    all[count] = message;
    messages = all;
  }

  private static int[] oneOfEach(int capacity) {
    int[] messages = new int[capacity];
    Arrays.setAll(messages, message -> message);
    return messages;
  }

  private void setExpiry(long expiresAtMillis) {
    long[] all = expiries;
    if (all == null) {
      all = new long[Math.max(AT_FIRST, count * 2)];
      Arrays.fill(all, 0, count, FOREVER);
    } else if (count == all.length) {
      all = Arrays.copyOf(all, count * 2);
    }
    all[count] = expiresAtMillis;
    expiries = all;
  }

  private void setCause(DeadLetterCause cause) {
    DeadLetterCause[] all = causes == null ? new DeadLetterCause[0] : causes;
    int before = all.length;
    all = Arrays.copyOf(all, count + 1);
    Arrays.fill(all, before, count, DeadLetterCause.NONE);
    all[count] = cause;
    causes = all;
  }

  /** Takes the collected copies, for a fact of this many messages, and begins anew. */
  Copies take(int messagesOfFact) {
    Copies copies =
        new Copies(
            queue.id(),
            firstNumber,
            ofWhich(messagesOfFact),
            expiries == null ? null : Arrays.copyOf(expiries, count),
            sessionIds == null ? null : sessionIds.toArray(String[]::new),
            allCauses());
    firstNumber += count;
    count = 0;
    messages = null;
    expiries = null;
    if (sessionIds != null) {
      sessionIds.clear();
    }
    causes = null;
    return copies;
  }

  private int @Nullable [] ofWhich(int messagesOfFact) {
    if (messages != null) {
      return Arrays.copyOf(messages, count);
    }
    return count == messagesOfFact ? null : oneOfEach(count);
  }

  private DeadLetterCause @Nullable [] allCauses() {
    DeadLetterCause[] all = causes;
    if (all == null) {
      return null;
    }
    int before = all.length;
    all = Arrays.copyOf(all, count);
    Arrays.fill(all, before, count, DeadLetterCause.NONE);
    return all;
  }
}
