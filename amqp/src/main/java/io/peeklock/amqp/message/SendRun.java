package io.peeklock.amqp.message;

import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.session.AmqpSession;
import io.peeklock.amqp.filter.Heads;
import io.peeklock.amqp.filter.MessageIdHash;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.SessionIds;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.PartitionKeys;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.BodyArena;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Messages that a read burst brought on one link; becomes one request. */
public final class SendRun {
  private final MessageIdHash messageIds;
  private final boolean detectsDuplicates;
  private final boolean hasSessions;
  private final boolean isForTopic;
  private final boolean isPartitioned;

  /** Of the columns: those of more messages are let go once these are sent. */
  private static final int KEPT = 4_096;

  private static final int FIRST = 64;

  private @Nullable ByteBuffer place;
  private @Nullable ByteBuffer placeOf;
  private ByteBuffer[] places = {};
  private int[] starts = {};
  private int[] headLengths = {};
  private boolean settled;
  private int count;
  private int[] sizes = new int[FIRST];
  private int[] headerBytes = new int[FIRST];
  private long[] ttlMillis = new long[FIRST];
  private int[] deliveryIds = new int[FIRST];
  private long[] dueAtMillis = new long[FIRST];
  private long[] idHashes = new long[2 * FIRST];
  private @Nullable String[] sessionIds = new String[FIRST];
  private @Nullable String[] partitionKeys = {};
  private boolean scheduled;

  /** What of its messages a queue wants to know. */
  public SendRun(QueueDefinition definition, MessageIdHash messageIds) {
    this.messageIds = messageIds;
    this.detectsDuplicates = definition.duplicateWindowMillis() > 0;
    this.hasSessions = definition.requiresSession();
    this.isPartitioned = definition.partitioned();
    this.isForTopic = definition.role() instanceof QueueRole.Topic;
  }

  /**
   * Which deliveries an answer is for.
   *
   * @param deliveryIds one per message, or the one of an atomic batch
   */
  public record Sent(int[] deliveryIds, boolean atomic) implements Ticket {

    /** Settles each as the shard decided; neighbours leave as one range. */
    public void answer(
        AmqpSession session,
        @Nullable Refusal @Nullable [] refusals,
        Function<Refusal, Outcome> rejected) {
      if (refusals == null) {
        answerAll(session, Outcome.ACCEPTED);
      } else if (atomic) {
        answerAll(session, rejected.apply(firstOf(refusals)));
      } else {
        answerEach(session, refusals, rejected);
      }
    }

    private void answerEach(
        AmqpSession session, @Nullable Refusal[] refusals, Function<Refusal, Outcome> rejected) {
      Refusal last = null;
      var no = Outcome.REJECTED;
      for (var i = 0; i < refusals.length; i++) {
        var refusal = refusals[i];
        if (refusal != null && !refusal.equals(last)) {
          last = refusal;
          no = rejected.apply(refusal);
        }
        var id = deliveryIds[i];
        session.settleIncoming(id, id, refusal == null ? Outcome.ACCEPTED : no);
      }
    }

    private static Refusal firstOf(@Nullable Refusal[] refusals) {
      for (var refusal : refusals) {
        if (refusal != null) {
          return refusal;
        }
      }
      return new Refusal.EntityNotFound();
    }

    /** Settles all in the same way. */
    public void answerAll(AmqpSession session, Outcome outcome) {
      var first = deliveryIds[0];
      for (var i = 1; i < deliveryIds.length; i++) {
        if (deliveryIds[i] != deliveryIds[i - 1] + 1) {
          session.settleIncoming(first, deliveryIds[i - 1], outcome);
          first = deliveryIds[i];
        }
      }
      session.settleIncoming(first, deliveryIds[deliveryIds.length - 1], outcome);
    }
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Whether such a delivery can join what is there: somebody waits for all answers, or nobody. */
  public boolean takes(boolean isSettled) {
    return count == 0 || settled == isSettled;
  }

  /**
   * Writes the message that was inspected last into the open run of an arena, and notes what is
   * known of it. When this throws, it is in neither of both.
   */
  public void stage(
      BodyArena arena, MessageNormalizer normalizer, int length, int deliveryId, boolean quiet) {
    var out = arena.reserve(length + MessageNormalizer.MAX_GROWTH);
    var start = out.position();
    note(normalizer);
    normalizer.write(out);
    wrote(out, start, normalizer);
    var size = out.position() - start;
    arena.commit();
    add(size, deliveryId, quiet);
  }

  /** Notes what is known of the next message before it is written. */
  public void note(MessageNormalizer cleaned) {
    if (count == sizes.length) {
      grow(count * 2);
    }
    headerBytes[count] = cleaned.headerBytes();
    ttlMillis[count] = cleaned.ttlMillis();
    dueAtMillis[count] = cleaned.dueAtMillis();
    scheduled |= dueAtMillis[count] != SendBurst.AT_ONCE;
    if (detectsDuplicates) {
      cleaned.hashMessageId(messageIds, isPartitioned, idHashes, 2 * count);
    }
    if (hasSessions || isPartitioned) {
      sessionIds[count] = cleaned.sessionId();
    }
    notePartitionKey(cleaned.partitionKey());
  }

  private void notePartitionKey(@Nullable String key) {
    if (isPartitioned) {
      if (partitionKeys.length <= count) {
        partitionKeys = Arrays.copyOf(partitionKeys, sizes.length);
      }
      partitionKeys[count] = key;
    }
  }

  /**
   * What would choose the partition of the message taken in last, for a comparison (S-374); null
   * where there are no partitions.
   */
  public @Nullable String partition() {
    if (!isPartitioned) {
      return null;
    }
    var last = count - 1;
    var session = sessionIds[last];
    var key = session == null ? partitionKeys[last] : session;
    if (key != null) {
      return partitionOf(key);
    }
    return detectsDuplicates ? "id " + idHashes[2 * last] + " " + idHashes[2 * last + 1] : "";
  }

  /** The same of a session id or key, of which sessions are told apart without case (S-523). */
  public static String partitionOf(String key) {
    return "key " + SessionIds.folded(key);
  }

  private void grow(int capacity) {
    headerBytes = Arrays.copyOf(headerBytes, capacity);
    ttlMillis = Arrays.copyOf(ttlMillis, capacity);
    deliveryIds = Arrays.copyOf(deliveryIds, capacity);
    dueAtMillis = Arrays.copyOf(dueAtMillis, capacity);
    idHashes = Arrays.copyOf(idHashes, 2 * capacity);
    sessionIds = Arrays.copyOf(sessionIds, capacity);
    sizes = Arrays.copyOf(sizes, capacity); // last, as it tells how long they all are
  }

  /** Takes in the only message of another run for the same queue. */
  public void join(SendRun one) {
    if (count == sizes.length) {
      grow(count * 2);
    }
    headerBytes[count] = one.headerBytes[0];
    ttlMillis[count] = one.ttlMillis[0];
    dueAtMillis[count] = one.dueAtMillis[0];
    scheduled |= one.scheduled;
    idHashes[2 * count] = one.idHashes[0];
    idHashes[2 * count + 1] = one.idHashes[1];
    sessionIds[count] = one.sessionIds[0];
    notePartitionKey(isPartitioned ? one.partitionKeys[0] : null);
    if (isForTopic) {
      lies(one.places[0], one.starts[0], one.headLengths[0]);
    }
    add(one.sizes[0], 0, false);
  }

  /** The message noted last was written, from this place on, where filters may want to see it. */
  @SuppressWarnings("ReferenceEquality") // equal bytes elsewhere are another place
  public void wrote(ByteBuffer out, int start, MessageNormalizer cleaned) {
    if (!isForTopic) {
      return;
    }
    if (place == null || placeOf != out) { // the writer goes on moving the limit of its own
      placeOf = out;
      place = out.duplicate().clear();
    }
    lies(place, start, cleaned.writtenBeforeBody());
  }

  private void lies(ByteBuffer where, int start, int headLength) {
    if (places.length < sizes.length) {
      places = Arrays.copyOf(places, sizes.length);
      starts = Arrays.copyOf(starts, sizes.length);
      headLengths = Arrays.copyOf(headLengths, sizes.length);
    }
    places[count] = where;
    starts[count] = start;
    headLengths[count] = headLength;
  }

  /** The message noted last is in the arena. */
  public void add(int size, int deliveryId, boolean isSettled) {
    settled = isSettled;
    sizes[count] = size;
    deliveryIds[count++] = deliveryId;
  }

  /** The note for the answer; null when nobody waits for one (S-018). */
  public @Nullable Sent ticket(boolean atomic) {
    if (settled) {
      return null;
    }
    var ids = atomic ? new int[] {deliveryIds[0]} : Arrays.copyOf(deliveryIds, count);
    return new Sent(ids, atomic);
  }

  public SendBurst burst() {
    var burst =
        new SendBurst(
            count,
            Arrays.copyOf(sizes, count),
            Arrays.copyOf(headerBytes, count),
            Arrays.copyOf(ttlMillis, count),
            scheduled ? Arrays.copyOf(dueAtMillis, count) : null,
            detectsDuplicates ? Arrays.copyOf(idHashes, 2 * count) : null,
            hasSessions ? Arrays.copyOf(sessionIds, count) : null,
            isForTopic ? heads() : null);
    return isPartitioned
        ? burst.withPartitionKeys(
            new PartitionKeys(
                Arrays.copyOf(sessionIds, count), Arrays.copyOf(partitionKeys, count)))
        : burst;
  }

  private Heads heads() {
    return new Heads(
        Arrays.copyOf(places, count),
        Arrays.copyOf(starts, count),
        Arrays.copyOf(headLengths, count));
  }

  public void clear() {
    Arrays.fill(places, 0, Math.min(count, places.length), null);
    count = 0;
    scheduled = false;
    place = null;
    placeOf = null;
    if (sizes.length > KEPT) {
      shrink();
    }
  }

  /** So that ten thousand links that each sent a batch once do not keep its columns. */
  private void shrink() {
    places = new ByteBuffer[0];
    starts = new int[0];
    headLengths = new int[0];
    partitionKeys = new String[0];
    grow(FIRST);
  }
}
