package io.peeklock.codec;

import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.ForwardFact;
import io.peeklock.kernel.MessagesRestored;
import io.peeklock.kernel.QueueEntry;
import io.peeklock.kernel.QueueId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Facts ↔ bytes. A record is its type (1 byte), the version of that type (1), the length of what
 * follows (4, little endian), and the fields; {@code docs/internals/journal-format.md} has them
 * all. A type or version that is not known is refused, never skipped: a log half understood is a
 * log half lost. A changed layout gets a new version, and the old one keeps its reader.
 *
 * <p>Stateless; any thread.
 */
public final class FactCodec {
  private static final int HEADER_BYTES = 6;
  static final int NUMBER_BYTES = 10;

  /** The bytes up to which a rough sum will do for {@link #maxBytes}. */
  static final long SMALL_BYTES = 4_096;

  private static final int VERSION = 1;

  private static final int QUEUE_CREATED = 1;
  private static final int ENQUEUED = 2;
  private static final int COMPLETED = 3;
  private static final int CONSUMED = 4;
  private static final int EXPIRED = 5;
  private static final int ABANDONED = 6;
  private static final int LOCK_LAPSED = 7;
  private static final int DEFERRED = 8;
  private static final int DEAD_LETTERED = 9;
  private static final int NAMESPACE_DESCRIBED = 10;
  private static final int UNUSED = 11; // of no released version
  private static final int QUEUE_RESTORED = 12;
  private static final int MESSAGES_RESTORED = 13;
  private static final int SCHEDULED = 14;
  private static final int CANCELLED = 15;
  private static final int ACTIVATED = 16;
  private static final int MESSAGE_IDS_RESTORED = 17;
  private static final int SESSION_STATE_SET = 18;
  private static final int SESSION_STATES_RESTORED = 19;
  private static final int PUBLISHED = 20;
  private static final int SCHEDULED_PUBLISHED = 21;
  private static final int PROPERTIES_CHANGED = 22;
  private static final int MESSAGE_IDS_SEEN = 23;
  private static final int RULE_ADDED = 24;
  private static final int RULE_REMOVED = 25;
  private static final int RULES_DESCRIBED = 26;
  private static final int FORWARDED = 27;
  private static final int FORWARD_PUBLISHED = 28;
  private static final int DROPPED = 29;
  private static final int NUMBERS_GIVEN = 30;
  private static final int QUEUE_UPDATED = 31;
  private static final int QUEUE_DELETED = 32;
  private static final int DELETED = 33;
  private static final int QUEUE_MADE_AGAIN = 34;
  private static final int NEWEST = QUEUE_MADE_AGAIN;

  private FactCodec() {}

  /**
   * The most bytes that {@link #encode} takes for a fact; the room must be there. For a small fact
   * it is a sum that costs next to nothing, for a large one what it takes exactly: what clients
   * write often can be a small part of what it could take at most.
   */
  public static long maxBytes(Fact fact) {
    var rough = roughBytes(fact);
    if (rough <= SMALL_BYTES) {
      return rough;
    }
    var meter = new RecordMeter();
    writeFields(fact, meter);
    return HEADER_BYTES + meter.bytes();
  }

  private static long roughBytes(Fact fact) {
    var variable =
        switch (fact) {
          case Fact.QueueCreated created -> DefinitionCodec.mostBytes(created.definition());
          case EntityFact.QueueUpdated updated -> DefinitionCodec.mostBytes(updated.definition());
          case EntityFact.QueueDeleted ignored -> 0L;
          case EntityFact.QueueMadeAgain made -> DefinitionCodec.mostBytes(made.definition());
          case EntityFact.Deleted deleted -> (long) NUMBER_BYTES * deleted.sequenceNumbers().length;
          case Fact.Enqueued enqueued ->
              5L * NUMBER_BYTES * enqueued.sizes().length
                  + ArrivalCodec.mostTextBytes(enqueued.sessionIds());
          case Fact.Scheduled scheduled ->
              6L * NUMBER_BYTES * scheduled.sizes().length
                  + ArrivalCodec.mostTextBytes(scheduled.sessionIds());
          case Fact.NumbersGiven ignored -> 0L;
          case Fact.Cancelled cancelled -> (long) NUMBER_BYTES * cancelled.sequenceNumbers().length;
          case Fact.Activated activated -> (long) NUMBER_BYTES * activated.sequenceNumbers().length;
          case Fact.SessionStateSet set -> 3L * set.sessionId().length();
          case Fact.SessionStatesRestored restored ->
              3L * NUMBER_BYTES * restored.bodyIds().length
                  + ArrivalCodec.mostTextBytes(restored.sessionIds());
          case Fact.MessageIdsRestored restored -> 3L * NUMBER_BYTES * restored.hashes().length;
          case Fact.Published published ->
              4L * NUMBER_BYTES * published.sizes().length
                  + TopicCodec.mostBytes(published.sizes().length, published.copies());
          case Fact.ScheduledPublished published ->
              (long) NUMBER_BYTES * published.sequenceNumbers().length
                  + TopicCodec.mostBytes(published.sequenceNumbers().length, published.copies());
          case Fact.PropertiesChanged ignored -> 0L;
          case Fact.MessageIdsSeen seen -> (long) NUMBER_BYTES * seen.hashes().length;
          case Fact.RuleAdded added -> RuleCodec.mostBytes(added.rule());
          case Fact.RuleRemoved removed -> 3L * removed.name().length();
          case Fact.RulesDescribed described ->
              described.rules().stream().mapToLong(RuleCodec::mostBytes).sum();
          case Fact.Completed completed -> (long) NUMBER_BYTES * completed.sequenceNumbers().length;
          case Fact.Consumed consumed -> (long) NUMBER_BYTES * consumed.sequenceNumbers().length;
          case Fact.Expired expired -> (long) NUMBER_BYTES * expired.sequenceNumbers().length;
          case Fact.Abandoned abandoned -> (long) NUMBER_BYTES * abandoned.sequenceNumbers().length;
          case Fact.LockLapsed lapsed -> (long) NUMBER_BYTES * lapsed.sequenceNumbers().length;
          case Fact.Deferred deferred -> (long) NUMBER_BYTES * deferred.sequenceNumbers().length;
          case Fact.DeadLettered dead -> (long) NUMBER_BYTES * dead.sequenceNumbers().length;
          case Fact.NamespaceDescribed ignored -> 0L;
          case EntityFact.QueueRestored restored ->
              DefinitionCodec.mostBytes(restored.entry().definition());
          case MessagesRestored restored ->
              NUMBER_BYTES * RestoredCodec.mostNumbers(restored)
                  + ArrivalCodec.mostTextBytes(restored.sessionIds())
                  + ArrivalCodec.mostTextBytes(restored.deadLetterSources());
          case ForwardFact forwarded -> ForwardCodec.mostBytes(forwarded);
        };
    return HEADER_BYTES + 12L * NUMBER_BYTES + variable;
  }

  /**
   * Writes a fact at the buffer's position, which moves.
   *
   * @param out with at least {@link #maxBytes} remaining, little endian
   */
  public static void encode(Fact fact, ByteBuffer out) {
    if (out.order() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalArgumentException("records are little endian");
    }
    var start = out.position();
    out.put((byte) typeOf(fact)).put((byte) VERSION).putInt(0);
    writeFields(fact, new RecordWriter(out));
    out.putInt(start + 2, out.position() - start - HEADER_BYTES);
  }

  /**
   * Reads facts from the buffer's position to its limit.
   *
   * @throws UnreadableFact when a record is of a type or version that is not known, or damaged
   */
  public static List<Fact> decodeAll(ByteBuffer in) throws UnreadableFact {
    var records = in.slice().order(ByteOrder.LITTLE_ENDIAN);
    var facts = new ArrayList<Fact>();
    while (records.hasRemaining()) {
      facts.add(decode(records));
    }
    return facts;
  }

  private static Fact decode(ByteBuffer in) throws UnreadableFact {
    if (in.remaining() < HEADER_BYTES) {
      throw new UnreadableFact("a record's header ends too early");
    }
    var type = in.get() & 0xFF;
    var version = in.get() & 0xFF;
    var length = in.getInt();
    if (type < QUEUE_CREATED || type > NEWEST || type == UNUSED || version != VERSION) {
      throw new UnreadableFact("record type " + type + " version " + version + " is not known");
    }
    if (length < 0 || length > in.remaining()) {
      throw new UnreadableFact(
          "a record claims " + length + " bytes, " + in.remaining() + " are left");
    }
    var fields = new FactReader(in.slice(in.position(), length));
    in.position(in.position() + length);
    Fact fact;
    try {
      fact = readFields(type, fields);
    } catch (IllegalArgumentException outOfRange) {
      throw new UnreadableFact("a value is out of range: " + outOfRange.getMessage());
    }
    if (fields.left() != 0) {
      throw new UnreadableFact("a record of type " + type + " has bytes left over");
    }
    return fact;
  }

  private static int typeOf(Fact fact) {
    return switch (fact) {
      case Fact.QueueCreated ignored -> QUEUE_CREATED;
      case EntityFact.QueueUpdated ignored -> QUEUE_UPDATED;
      case EntityFact.QueueDeleted ignored -> QUEUE_DELETED;
      case EntityFact.QueueMadeAgain ignored -> QUEUE_MADE_AGAIN;
      case EntityFact.Deleted ignored -> DELETED;
      case Fact.Enqueued ignored -> ENQUEUED;
      case Fact.Scheduled ignored -> SCHEDULED;
      case Fact.NumbersGiven ignored -> NUMBERS_GIVEN;
      case Fact.Cancelled ignored -> CANCELLED;
      case Fact.Activated ignored -> ACTIVATED;
      case Fact.MessageIdsRestored ignored -> MESSAGE_IDS_RESTORED;
      case Fact.SessionStateSet ignored -> SESSION_STATE_SET;
      case Fact.SessionStatesRestored ignored -> SESSION_STATES_RESTORED;
      case Fact.Published ignored -> PUBLISHED;
      case Fact.ScheduledPublished ignored -> SCHEDULED_PUBLISHED;
      case Fact.PropertiesChanged ignored -> PROPERTIES_CHANGED;
      case Fact.MessageIdsSeen ignored -> MESSAGE_IDS_SEEN;
      case Fact.RuleAdded ignored -> RULE_ADDED;
      case Fact.RuleRemoved ignored -> RULE_REMOVED;
      case Fact.RulesDescribed ignored -> RULES_DESCRIBED;
      case Fact.Completed ignored -> COMPLETED;
      case Fact.Consumed ignored -> CONSUMED;
      case Fact.Expired ignored -> EXPIRED;
      case Fact.Abandoned ignored -> ABANDONED;
      case Fact.LockLapsed ignored -> LOCK_LAPSED;
      case Fact.Deferred ignored -> DEFERRED;
      case Fact.DeadLettered ignored -> DEAD_LETTERED;
      case Fact.NamespaceDescribed ignored -> NAMESPACE_DESCRIBED;
      case EntityFact.QueueRestored ignored -> QUEUE_RESTORED;
      case MessagesRestored ignored -> MESSAGES_RESTORED;
      case ForwardFact.Forwarded ignored -> FORWARDED;
      case ForwardFact.ForwardPublished ignored -> FORWARD_PUBLISHED;
      case ForwardFact.Dropped ignored -> DROPPED;
    };
  }

  private static void writeFields(Fact fact, FactWriter out) {
    switch (fact) {
      case Fact.QueueCreated created -> write(created, out);
      case EntityFact.QueueMadeAgain made -> {
        out.natural(made.before().number());
        write(made.created(), out);
      }
      case EntityFact.QueueUpdated updated -> write(updated, out);
      case EntityFact.QueueDeleted deleted -> out.natural(deleted.queue().number());
      case EntityFact.Deleted deleted -> write(deleted.queue(), deleted.sequenceNumbers(), out);
      case Fact.Enqueued enqueued -> ArrivalCodec.write(enqueued, out);
      case Fact.Scheduled scheduled -> ArrivalCodec.write(scheduled, out);
      case Fact.NumbersGiven given -> write(given, out);
      case Fact.Cancelled cancelled -> write(cancelled.queue(), cancelled.sequenceNumbers(), out);
      case Fact.Activated activated -> {
        write(activated.queue(), activated.sequenceNumbers(), out);
        out.unsigned(activated.firstSequenceNumber());
        out.signed(activated.enqueuedAtMillis());
      }
      case Fact.SessionStateSet set -> write(set, out);
      case Fact.SessionStatesRestored restored -> write(restored, out);
      case Fact.MessageIdsRestored restored -> write(restored, out);
      case Fact.Published published -> TopicCodec.write(published, out);
      case Fact.ScheduledPublished published -> TopicCodec.write(published, out);
      case Fact.PropertiesChanged changed -> write(changed, out);
      case Fact.MessageIdsSeen seen -> write(seen, out);
      case Fact.RuleAdded added -> RuleCodec.write(added, out);
      case Fact.RuleRemoved removed -> RuleCodec.write(removed, out);
      case Fact.RulesDescribed described -> RuleCodec.write(described, out);
      case Fact.Completed completed -> write(completed.queue(), completed.sequenceNumbers(), out);
      case Fact.Consumed consumed -> write(consumed.queue(), consumed.sequenceNumbers(), out);
      case Fact.Expired expired -> write(expired.queue(), expired.sequenceNumbers(), out);
      case Fact.Abandoned abandoned -> {
        write(abandoned.queue(), abandoned.sequenceNumbers(), out);
        RestoredCodec.write(abandoned.overlay(), out);
      }
      case Fact.LockLapsed lapsed -> write(lapsed.queue(), lapsed.sequenceNumbers(), out);
      case Fact.Deferred deferred -> {
        write(deferred.queue(), deferred.sequenceNumbers(), out);
        RestoredCodec.write(deferred.overlay(), out);
      }
      case Fact.DeadLettered dead -> {
        write(dead.queue(), dead.sequenceNumbers(), out);
        out.natural(dead.deadLetterQueue().number());
        out.cause(dead.cause());
        out.flag(dead.counted());
        RestoredCodec.write(dead.overlay(), out);
      }
      case Fact.NamespaceDescribed described -> {
        out.natural(described.nextQueueNumber());
        out.unsigned(described.nextBodyId());
      }
      case EntityFact.QueueRestored restored -> write(restored, out);
      case MessagesRestored restored -> RestoredCodec.write(restored, out);
      case ForwardFact.Forwarded forwarded -> ForwardCodec.write(forwarded, out);
      case ForwardFact.ForwardPublished published -> ForwardCodec.write(published, out);
      case ForwardFact.Dropped dropped -> write(dropped.queue(), dropped.sequenceNumbers(), out);
    }
  }

  private static void write(EntityFact.QueueUpdated updated, FactWriter out) {
    out.natural(updated.queue().number());
    DefinitionCodec.write(updated.definition(), out);
    out.signed(updated.updatedAtMillis());
  }

  private static void write(EntityFact.QueueRestored restored, FactWriter out) {
    out.natural(restored.queue().number());
    out.natural(restored.entry().deadLetterQueue().number());
    DefinitionCodec.write(restored.entry().definition(), out);
    out.unsigned(restored.nextSequenceNumber());
    out.signed(restored.entry().createdAtMillis());
    out.signed(restored.entry().updatedAtMillis());
    out.flag(restored.deleted());
  }

  private static void write(Fact.QueueCreated created, FactWriter out) {
    out.natural(created.queue().number());
    out.natural(created.deadLetterQueue().number());
    DefinitionCodec.write(created.definition(), out);
    out.signed(created.createdAtMillis());
  }

  private static Fact readFields(int type, FactReader in) throws UnreadableFact {
    return switch (type) {
      case QUEUE_CREATED ->
          new Fact.QueueCreated(queue(in), queue(in), DefinitionCodec.read(in), in.signed());
      case QUEUE_UPDATED ->
          new EntityFact.QueueUpdated(queue(in), DefinitionCodec.read(in), in.signed());
      case QUEUE_DELETED -> new EntityFact.QueueDeleted(queue(in));
      case QUEUE_MADE_AGAIN ->
          new EntityFact.QueueMadeAgain(
              queue(in), queue(in), queue(in), DefinitionCodec.read(in), in.signed());
      case DELETED -> new EntityFact.Deleted(queue(in), numbers(in));
      case ENQUEUED -> ArrivalCodec.enqueued(queue(in), in);
      case SCHEDULED -> ArrivalCodec.scheduled(queue(in), in);
      case NUMBERS_GIVEN -> new Fact.NumbersGiven(queue(in), in.unsigned(), in.natural());
      case CANCELLED -> new Fact.Cancelled(queue(in), numbers(in));
      case ACTIVATED -> new Fact.Activated(queue(in), numbers(in), in.unsigned(), in.signed());
      case MESSAGE_IDS_RESTORED -> idsRestored(in);
      case SESSION_STATE_SET ->
          new Fact.SessionStateSet(queue(in), in.text(), in.unsigned(), in.natural(), in.signed());
      case SESSION_STATES_RESTORED -> statesRestored(in);
      case PUBLISHED -> TopicCodec.published(queue(in), in);
      case SCHEDULED_PUBLISHED -> TopicCodec.scheduledPublished(queue(in), in);
      case PROPERTIES_CHANGED ->
          new Fact.PropertiesChanged(
              queue(in), in.unsigned(), new Fact.StoredOverlay(in.unsigned(), in.natural()));
      case MESSAGE_IDS_SEEN -> idsSeen(in);
      case RULE_ADDED -> new Fact.RuleAdded(queue(in), RuleCodec.read(in));
      case RULE_REMOVED -> new Fact.RuleRemoved(queue(in), in.text());
      case RULES_DESCRIBED -> new Fact.RulesDescribed(queue(in), RuleCodec.readAll(in));
      case COMPLETED -> new Fact.Completed(queue(in), numbers(in));
      case CONSUMED -> new Fact.Consumed(queue(in), numbers(in));
      case EXPIRED -> new Fact.Expired(queue(in), numbers(in));
      case ABANDONED -> new Fact.Abandoned(queue(in), numbers(in), RestoredCodec.overlay(in));
      case LOCK_LAPSED -> new Fact.LockLapsed(queue(in), numbers(in));
      case DEFERRED -> new Fact.Deferred(queue(in), numbers(in), RestoredCodec.overlay(in));
      case DEAD_LETTERED -> deadLettered(in);
      case NAMESPACE_DESCRIBED -> new Fact.NamespaceDescribed(in.natural(), in.unsigned());
      case QUEUE_RESTORED -> queueRestored(in);
      case FORWARDED -> ForwardCodec.forwarded(queue(in), numbers(in), in);
      case FORWARD_PUBLISHED -> ForwardCodec.published(queue(in), numbers(in), in);
      case DROPPED -> new ForwardFact.Dropped(queue(in), numbers(in));
      default -> RestoredCodec.read(queue(in), in);
    };
  }

  private static EntityFact.QueueRestored queueRestored(FactReader in) throws UnreadableFact {
    var queue = queue(in);
    var deadLetters = queue(in);
    var definition = DefinitionCodec.read(in);
    var next = in.unsigned();
    var entry = new QueueEntry(queue, deadLetters, definition, in.signed(), in.signed());
    return new EntityFact.QueueRestored(entry, next, in.flag());
  }

  static void write(QueueId queue, long[] sequenceNumbers, FactWriter out) {
    out.natural(queue.number());
    out.natural(sequenceNumbers.length);
    out.distances(sequenceNumbers, 0);
  }

  private static QueueId queue(FactReader in) throws UnreadableFact {
    return new QueueId(in.natural());
  }

  private static long[] numbers(FactReader in) throws UnreadableFact {
    return in.distances(in.count(), 0);
  }

  private static Fact.MessageIdsSeen idsSeen(FactReader in) throws UnreadableFact {
    var queue = queue(in);
    var arrivedAtMillis = in.signed();
    return new Fact.MessageIdsSeen(queue, in.words(in.count()), arrivedAtMillis);
  }

  private static void write(Fact.PropertiesChanged changed, FactWriter out) {
    out.natural(changed.queue().number());
    out.unsigned(changed.sequenceNumber());
    out.unsigned(changed.overlay().bodyId());
    out.natural(changed.overlay().bytes());
  }

  private static void write(Fact.SessionStateSet set, FactWriter out) {
    out.natural(set.queue().number());
    out.text(set.sessionId());
    out.unsigned(set.bodyId());
    out.natural(set.bytes());
    out.signed(set.setAtMillis());
  }

  private static void write(Fact.NumbersGiven given, FactWriter out) {
    out.natural(given.queue().number());
    out.unsigned(given.firstSequenceNumber());
    out.natural(given.count());
  }

  private static void write(Fact.MessageIdsSeen seen, FactWriter out) {
    out.natural(seen.queue().number());
    out.signed(seen.arrivedAtMillis());
    out.natural(seen.hashes().length);
    out.words(seen.hashes());
  }

  private static void write(Fact.SessionStatesRestored restored, FactWriter out) {
    out.natural(restored.queue().number());
    out.natural(restored.bodyIds().length);
    ArrivalCodec.write(restored.sessionIds(), out);
    out.distances(restored.bodyIds(), 0);
    out.naturals(restored.sizes());
    out.distances(restored.setAtMillis(), 0);
  }

  private static void write(Fact.MessageIdsRestored restored, FactWriter out) {
    out.natural(restored.queue().number());
    out.natural(restored.arrivedAtMillis().length);
    out.distances(restored.arrivedAtMillis(), 0);
    out.words(restored.hashes());
  }

  private static Fact.SessionStatesRestored statesRestored(FactReader in) throws UnreadableFact {
    var queue = queue(in);
    var count = in.count();
    return new Fact.SessionStatesRestored(
        queue,
        ArrivalCodec.sessionIds(count, in),
        in.distances(count, 0),
        in.naturals(count),
        in.distances(count, 0));
  }

  private static Fact.MessageIdsRestored idsRestored(FactReader in) throws UnreadableFact {
    var queue = queue(in);
    var arrived = in.distances(in.count(), 0);
    return new Fact.MessageIdsRestored(queue, in.words(2 * arrived.length), arrived);
  }

  private static Fact.DeadLettered deadLettered(FactReader in) throws UnreadableFact {
    var queue = queue(in);
    var sequenceNumbers = numbers(in);
    return new Fact.DeadLettered(
        queue, queue(in), sequenceNumbers, in.cause(), in.flag(), RestoredCodec.overlay(in));
  }
}
