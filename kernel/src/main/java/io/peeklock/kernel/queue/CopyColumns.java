package io.peeklock.kernel.queue;

import static io.peeklock.kernel.QueueDefinition.FOREVER;

import io.peeklock.kernel.Copies;
import io.peeklock.kernel.DeadLetterCause;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The copies for one subscription while they are collected. */
final class CopyColumns {

  private final QueueState queue;
  private final boolean withSessions;
  private long firstNumber;
  private int[] messages = new int[16];
  private long[] expiries = new long[16];
  private int count;
  private long shared; // the newest message of which the subscription has the shared copy
  private boolean inOrder = true;
  private boolean expire;
  private final List<String> sessionIds = new ArrayList<>();
  private DeadLetterCause @Nullable [] causes;

  CopyColumns(QueueState queue) {
    this.queue = queue;
    this.withSessions = queue.definition().requiresSession();
    this.firstNumber = queue.nextSequenceNumber();
  }

  QueueState queue() {
    return queue;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Whether no rule asked before for the shared copy of the n-th message (S-318). */
  boolean beginShared(long message) {
    boolean first = shared != message;
    shared = message;
    return first;
  }

  /**
   * Adds a copy.
   *
   * @param message of which message of the fact
   * @param sessionId empty for none; not kept by a subscription without sessions
   * @param cause why it is a dead letter at once
   * @return its number
   */
  long add(int message, long expiresAtMillis, String sessionId, DeadLetterCause cause) {
    if (count == messages.length) {
      messages = Arrays.copyOf(messages, count * 2);
      expiries = Arrays.copyOf(expiries, count * 2);
    }
    inOrder &= message == count;
    expire |= expiresAtMillis != FOREVER;
    messages[count] = message;
    expiries[count] = expiresAtMillis;
    if (withSessions) {
      sessionIds.add(sessionId);
    }
    if (cause != DeadLetterCause.NONE) {
      setCause(cause);
    }
    return firstNumber + count++;
  }

  private void setCause(DeadLetterCause cause) {
    DeadLetterCause[] all = causes == null ? new DeadLetterCause[0] : causes;
    int before = all.length;
    all = Arrays.copyOf(all, count + 1);
    Arrays.fill(all, before, count, DeadLetterCause.NONE);
    all[count] = cause;
    causes = all;
  }

  /** What was collected, for a fact of so many messages; afterwards the next ones are. */
  Copies take(int messagesOfFact) {
    Copies copies =
        new Copies(
            queue.id(),
            firstNumber,
            inOrder && count == messagesOfFact ? null : Arrays.copyOf(messages, count),
            expire ? Arrays.copyOf(expiries, count) : null,
            withSessions ? sessionIds.toArray(String[]::new) : null,
            allCauses());
    firstNumber += count;
    count = 0;
    inOrder = true;
    expire = false;
    sessionIds.clear();
    causes = null;
    return copies;
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
