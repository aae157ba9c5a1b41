package io.peeklock.amqp.message;

import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one disposition changes on each of its messages: read once for all of them, which
 * share the bytes, and bounded in sum. A frame that says it once makes it for each message, in
 * memory and in the log.
 */
public final class RangeChanges {
  /** Bytes of properties that one disposition may bring, those of each message counted. */
  public static final int MOST_BYTES = 1 << 20;

  private static final RangeChanges NONE = new RangeChanges(null, null);

  private final byte @Nullable [] overlay;
  private final @Nullable MessageProblem problem;
  private @Nullable Outcome refusal;

  private RangeChanges(byte @Nullable [] overlay, @Nullable MessageProblem problem) {
    this.overlay = overlay;
    this.problem = problem;
  }

  public static RangeChanges of(PeerState state) {
    if (state.mapOffset() < 0) {
      return NONE;
    }
    if (state.attachment() instanceof RangeChanges known) {
      return known;
    }
    var overlay = ChangedProperties.of(state.buffer(), state.mapOffset(), state.mapLength());
    var changes = new RangeChanges(overlay, whyTooMany(state.deliveries(), overlay));
    state.attach(changes);
    return changes;
  }

  /** Those of a disposition that is to be refused, also where it changes nothing. */
  public static RangeChanges refused(PeerState state) {
    if (state.attachment() instanceof RangeChanges known) {
      return known;
    }
    var changes = new RangeChanges(null, null);
    state.attach(changes);
    return changes;
  }

  /** Why so many messages cannot be changed like this at once; null when they can. */
  private static @Nullable MessageProblem whyTooMany(int messages, byte @Nullable [] overlay) {
    var each = overlay == null ? 0L : overlay.length;
    return messages * each <= MOST_BYTES
        ? null
        : new MessageProblem(
            Conditions.RESOURCE_LIMIT_EXCEEDED,
            "The disposition brings properties of "
                + each
                + " bytes for each of "
                + messages
                + " messages, "
                + messages * each
                + " bytes in all. One disposition may bring at most "
                + MOST_BYTES
                + " bytes; settle fewer messages at a time");
  }

  /** What is changed; null for nothing. */
  public byte @Nullable [] overlay() {
    return overlay;
  }

  /** Why nothing is settled; null when it can be. */
  public @Nullable MessageProblem problem() {
    return problem;
  }

  /** The same answer for all of them, so that it leaves as one. */
  public Outcome refusal(Supplier<Outcome> made) {
    var told = refusal == null ? made.get() : refusal;
    refusal = told;
    return told;
  }
}
