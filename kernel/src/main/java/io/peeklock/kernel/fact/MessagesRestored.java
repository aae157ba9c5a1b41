package io.peeklock.kernel.fact;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import org.jspecify.annotations.Nullable;

/**
 * Messages as a checkpoint has them: consecutive messages of one queue, in order. The facts of one
 * queue may come in any order. Only in checkpoints and in repaired logs.
 *
 * @param expiresAtMillis when each expires, {@link QueueDefinition#FOREVER} for never; null when
 *     none does
 * @param deliveryCounts failed attempts of each; null when none has any
 * @param deferred whether each is deferred; null when none is
 * @param causes why each lies in a dead-letter queue; null when none does
 * @param overlays where changed properties of each are stored, null for none; null when none has
 *     any
 * @param sessionIds of each; null in a queue without sessions
 * @param scheduled whether they are scheduled: then {@code expiresAtMillis} has when they become
 *     active, and {@code enqueuedAtMillis} when they expire if they become active exactly then
 * @param enqueuedNumbers the numbers that they were first given elsewhere, 0 for none; null
 *     when none has any
 * @param sharedSlots the slot that counts the copies of a shared body, 0 for a body of one message;
 *     null when none is shared
 * @param hops how often each was forwarded; null when none was
 * @param deadLetterSources where each was a dead letter before it was forwarded, empty for nowhere;
 *     null when none was
 */
public record MessagesRestored(
    QueueId queue,
    long[] sequenceNumbers,
    long[] bodyIds,
    int[] sizes,
    int[] headerBytes,
    long[] enqueuedAtMillis,
    long @Nullable [] expiresAtMillis,
    int @Nullable [] deliveryCounts,
    boolean @Nullable [] deferred,
    DeadLetterCause @Nullable [] causes,
    Fact.@Nullable StoredOverlay @Nullable [] overlays,
    String @Nullable [] sessionIds,
    boolean scheduled,
    long @Nullable [] enqueuedNumbers,
    int @Nullable [] sharedSlots,
    int @Nullable [] hops,
    String @Nullable [] deadLetterSources)
    implements Fact, Fact.ShowsFeatures, Fact.InCheckpoint {
  @Override
  public boolean showsSessions() {
    return sessionIds != null;
  }

  @Override
  public boolean showsDuplicateDetection() {
    return false;
  }
}
