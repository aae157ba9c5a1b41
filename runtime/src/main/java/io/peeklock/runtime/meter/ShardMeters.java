package io.peeklock.runtime.meter;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.Request;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a shard decides, before it is durable: after a crash a few may have been counted that
 * are lost. Facts of a recovery are not counted. The shard's thread writes, any thread may read.
 */
public final class ShardMeters {
  private static final EntityMeter NOTHING = new EntityMeter();

  /** Takes the counts of deleted entities. */
  private static final EntityMeter GONE =
      new EntityMeter() {
        @Override
        void add(Count what, long more) {} // never read
      };

  private static final List<Count> CAME =
      List.of(Count.INCOMING, Count.INCOMING_BYTES, Count.FORWARDED_HERE);

  private final DurationMeter steps = new DurationMeter();
  private final EntityCounter counter = this::add;

  /** The numbers of the queues from which messages were copied in parts since the start. */
  private final BitSet backlogs = new BitSet();

  private volatile long refusedForShares;
  private volatile @Nullable EntityMeter[] byNumber = new EntityMeter[16];

  /** The durations of the shard's steps. */
  public DurationMeter steps() {
    return steps;
  }

  /** The counts of a queue, a topic or a dead-letter queue; zeroes when nothing happened yet. */
  public EntityMeter of(QueueId queue) {
    var known = byNumber;
    var meter = queue.number() < known.length ? known[queue.number()] : null;
    return meter == null ? NOTHING : meter;
  }

  void add(QueueId queue, Count what, long more) {
    var known = byNumber;
    var meter = queue.number() < known.length ? known[queue.number()] : null;
    if (meter == null) {
      meter = new EntityMeter();
      put(queue, meter);
    }
    meter.add(what, more);
  }

  private void put(QueueId queue, EntityMeter meter) {
    var known = byNumber;
    if (queue.number() >= known.length) {
      known = Arrays.copyOf(known, Math.max(queue.number() + 1, known.length * 2));
    }
    known[queue.number()] = meter;
    byNumber = known; // for readers
  }

  /** Counts a fact. */
  public void note(Fact fact) {
    if (fact instanceof Fact.StoresMessages it) {
      incoming(it.numberedBy(), it.sizes());
    }
    if (fact instanceof Fact.CopiesMessages it) {
      copied(it.copies(), it.count());
    }
    switch (fact) {
      case Fact.ScheduledPublished it ->
          add(it.topic(), Count.ACTIVATED, it.sequenceNumbers().length);
      case Fact.Activated it -> add(it.queue(), Count.ACTIVATED, it.sequenceNumbers().length);
      case Fact.Cancelled it -> add(it.queue(), Count.CANCELLED, it.sequenceNumbers().length);
      case Fact.Completed it -> add(it.queue(), Count.COMPLETED, it.sequenceNumbers().length);
      case Fact.Consumed it -> {
        add(it.queue(), Count.OUTGOING, it.sequenceNumbers().length);
        add(it.queue(), Count.COMPLETED, it.sequenceNumbers().length);
      }
      case Fact.Expired it -> add(it.queue(), Count.EXPIRED, it.sequenceNumbers().length);
      case Fact.Abandoned it -> add(it.queue(), Count.ABANDONED, it.sequenceNumbers().length);
      case Fact.LockLapsed it -> add(it.queue(), Count.LOCKS_LAPSED, it.sequenceNumbers().length);
      case Fact.Deferred it -> add(it.queue(), Count.DEFERRED, it.sequenceNumbers().length);
      case Fact.DeadLettered it ->
          add(it.queue(), Count.DEAD_LETTERED, it.sequenceNumbers().length);
      case ForwardFact.Forwarded it -> {
        add(it.source(), Count.FORWARDED, it.sequenceNumbers().length);
        add(it.destination(), Count.FORWARDED_HERE, it.sequenceNumbers().length);
      }
      case ForwardFact.ForwardPublished it -> {
        if (backlogs.get(it.source().number())) {
          handOver(it.source(), it.topic());
        } else {
          add(it.source(), Count.FORWARDED, it.sequenceNumbers().length);
          add(it.topic(), Count.FORWARDED_HERE, it.sequenceNumbers().length);
        }
      }
      case ForwardFact.PartPublished it -> {
        backlogs.set(it.source().number());
        handOver(it.source(), it.topic());
      }
      case ForwardFact.ActivatedInBacklog it ->
          add(it.source(), Count.ACTIVATED, it.sequenceNumbers().length);
      case ForwardFact.Dropped it -> add(it.queue(), Count.FORWARDED, it.sequenceNumbers().length);
      case EntityFact.QueueDeleted it -> put(it.queue(), GONE);
      case EntityFact.QueueMadeAgain it -> put(it.before(), GONE);
      case EntityFact.Deleted it -> add(it.queue(), Count.DELETED, it.sequenceNumbers().length);
      default -> {} // has no count of its own, or is only in checkpoints
    }
  }

  /** Counts what came to a topic's backlog, which is not published, for the topic. */
  private void handOver(QueueId backlog, QueueId topic) {
    for (var what : CAME) {
      var came = of(backlog).read(what);
      if (came != 0) {
        add(backlog, what, -came);
        add(topic, what, came);
      }
    }
  }

  private void incoming(QueueId queue, int[] sizes) {
    var bytes = 0L;
    for (var size : sizes) {
      bytes += size;
    }
    add(queue, Count.INCOMING, sizes.length);
    add(queue, Count.INCOMING_BYTES, bytes);
  }

  private void copied(Copies[] copies, int all) {
    for (var copy : copies) {
      var messages = copy.messages();
      add(copy.subscription(), Count.INCOMING, messages == null ? all : messages.length);
      var causes = copy.causes();
      if (causes != null) {
        add(copy.subscription(), Count.DEAD_LETTERED, dead(causes));
      }
    }
  }

  private static long dead(DeadLetterCause[] causes) {
    return Arrays.stream(causes).filter(cause -> cause != DeadLetterCause.NONE).count();
  }

  /** How many requests were refused because their entity held too much of the heap. */
  long refusedForShares() {
    return refusedForShares;
  }

  /** Counts the decision about a request. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the shard's thread alone writes it
  public void note(Request request, Decision decision) {
    if (RefusalMeter.note(counter, request, decision.effects())) {
      refusedForShares++;
    }
    Duplicates.note(counter, request, decision);
  }

  /** Counts the deliveries of an effect, if it has any. */
  public void noteDelivery(Effect effect) {
    if (effect instanceof Effect.Delivered delivered) {
      Attempts.note(counter, delivered);
    }
  }

  /** Counts a receiver that was told about an unreadable message. */
  public void noteUnreadable(QueueId queue) {
    add(queue, Count.SERVER_ERRORS, 1);
  }

  /** Counts a grant. */
  public void note(Grant grant) {
    if (grant instanceof Grant.Locked locked) {
      add(locked.queue(), Count.OUTGOING, locked.lockIds().length);
    }
  }
}
