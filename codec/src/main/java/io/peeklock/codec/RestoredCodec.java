package io.peeklock.codec;

import io.peeklock.kernel.DeadLetterCause;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.MessagesRestored;
import io.peeklock.kernel.QueueId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The fields of messages as a checkpoint has them; columns that say nothing cost a byte. */
final class RestoredCodec {
  private static final int MOST_NUMBERS = 12;

  private RestoredCodec() {}

  /** Numbers that one message takes at most. */
  static long mostNumbers(MessagesRestored fact) {
    return (long) MOST_NUMBERS * fact.sequenceNumbers().length;
  }

  static void write(MessagesRestored fact, FactWriter out) {
    out.natural(fact.queue().number());
    out.natural(fact.sequenceNumbers().length);
    out.distances(fact.sequenceNumbers(), 0);
    out.distances(fact.bodyIds(), 0);
    out.naturals(fact.sizes());
    out.naturals(fact.headerBytes());
    out.distances(fact.enqueuedAtMillis(), 0);
    var expiries = fact.expiresAtMillis();
    out.flag(expiries != null);
    if (expiries != null) {
      out.distances(expiries, 0);
    }
    var counts = fact.deliveryCounts();
    out.flag(counts != null);
    if (counts != null) {
      out.naturals(counts);
    }
    writeStates(fact, out);
  }

  private static void writeStates(MessagesRestored fact, FactWriter out) {
    var deferred = fact.deferred();
    out.flag(deferred != null);
    if (deferred != null) {
      for (var aside : deferred) {
        out.flag(aside);
      }
    }
    var causes = fact.causes();
    out.flag(causes != null);
    if (causes != null) {
      for (var cause : causes) {
        out.cause(cause);
      }
    }
    Fact.@Nullable StoredOverlay[] overlays = fact.overlays();
    out.flag(overlays != null);
    if (overlays != null) {
      for (var overlay : overlays) {
        write(overlay, out);
      }
    }
    var sessionIds = fact.sessionIds();
    out.flag(sessionIds != null);
    if (sessionIds != null) {
      ArrivalCodec.write(sessionIds, out);
    }
    out.flag(fact.scheduled());
    var enqueuedNumbers = fact.enqueuedNumbers();
    out.flag(enqueuedNumbers != null);
    if (enqueuedNumbers != null) {
      out.distances(enqueuedNumbers, 0);
    }
    var sharedSlots = fact.sharedSlots();
    out.flag(sharedSlots != null);
    if (sharedSlots != null) {
      out.naturals(sharedSlots);
    }
    var hops = fact.hops();
    out.flag(hops != null);
    if (hops != null) {
      out.naturals(hops);
    }
    var deadLetterSources = fact.deadLetterSources();
    out.flag(deadLetterSources != null);
    if (deadLetterSources != null) {
      ArrivalCodec.write(deadLetterSources, out);
    }
  }

  static void write(Fact.@Nullable StoredOverlay overlay, FactWriter out) {
    out.flag(overlay != null);
    if (overlay != null) {
      out.unsigned(overlay.bodyId());
      out.natural(overlay.bytes());
    }
  }

  static Fact.@Nullable StoredOverlay overlay(FactReader in) throws UnreadableFact {
    return in.flag() ? new Fact.StoredOverlay(in.unsigned(), in.natural()) : null;
  }

  static MessagesRestored read(QueueId queue, FactReader in) throws UnreadableFact {
    var count = in.count();
    return new MessagesRestored(
        queue,
        in.distances(count, 0),
        in.distances(count, 0),
        in.naturals(count),
        in.naturals(count),
        in.distances(count, 0),
        in.flag() ? in.distances(count, 0) : null,
        in.flag() ? in.naturals(count) : null,
        in.flag() ? flags(count, in) : null,
        in.flag() ? causes(count, in) : null,
        in.flag() ? overlays(count, in) : null,
        in.flag() ? ArrivalCodec.sessionIds(count, in) : null,
        in.flag(),
        in.flag() ? in.distances(count, 0) : null,
        in.flag() ? in.naturals(count) : null,
        in.flag() ? in.naturals(count) : null,
        in.flag() ? ArrivalCodec.sessionIds(count, in) : null);
  }

  private static boolean[] flags(int count, FactReader in) throws UnreadableFact {
    var flags = new boolean[count];
    for (var i = 0; i < count; i++) {
      flags[i] = in.flag();
    }
    return flags;
  }

  private static DeadLetterCause[] causes(int count, FactReader in) throws UnreadableFact {
    var causes = new DeadLetterCause[count];
    Arrays.fill(causes, DeadLetterCause.NONE);
    for (var i = 0; i < count; i++) {
      causes[i] = in.cause();
    }
    return causes;
  }

  private static Fact.@Nullable StoredOverlay[] overlays(int count, FactReader in)
      throws UnreadableFact {
    Fact.@Nullable StoredOverlay[] overlays = new Fact.StoredOverlay[count];
    for (var i = 0; i < count; i++) {
      overlays[i] = overlay(in);
    }
    return overlays;
  }
}
