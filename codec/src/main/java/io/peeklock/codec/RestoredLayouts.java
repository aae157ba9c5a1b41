package io.peeklock.codec;

import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.Fact.CopyCursorRestored;
import io.peeklock.kernel.fact.Fact.MessageIdsRestored;
import io.peeklock.kernel.fact.MessagesRestored;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layouts of the messages in a checkpoint; an empty column costs a byte. Those of queues, rules
 * and session states are with the other facts about them.
 */
final class RestoredLayouts {
  static final List<FactLayout<?>> LAYOUTS =
      List.of(
          FactLayout.of(
              13, MessagesRestored.class, RestoredLayouts::write, RestoredLayouts::messages),
          FactLayout.of(
              17, MessageIdsRestored.class, RestoredLayouts::write, RestoredLayouts::messageIds),
          FactLayout.of(
              37, CopyCursorRestored.class, RestoredLayouts::write, RestoredLayouts::cursor));

  private RestoredLayouts() {}

  private static void write(MessageIdsRestored fact, FactWriter out) {
    out.queue(fact.queue());
    out.natural(fact.arrivedAtMillis().length);
    out.distances(fact.arrivedAtMillis(), 0);
    out.words(fact.hashes());
  }

  private static MessageIdsRestored messageIds(FactReader in) throws UnreadableFact {
    var queue = in.queue();
    var arrived = in.distances(in.count(), 0);
    return new MessageIdsRestored(queue, in.words(2 * arrived.length), arrived);
  }

  private static void write(CopyCursorRestored fact, FactWriter out) {
    out.queue(fact.queue());
    out.unsigned(fact.sequenceNumber());
    out.natural(fact.upTo());
  }

  private static CopyCursorRestored cursor(FactReader in) throws UnreadableFact {
    return new CopyCursorRestored(in.queue(), in.unsigned(), in.natural());
  }

  private static void write(MessagesRestored fact, FactWriter out) {
    out.messages(fact.queue(), fact.sequenceNumbers());
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
      out.causes(causes);
    }
    Fact.@Nullable StoredOverlay[] overlays = fact.overlays();
    out.flag(overlays != null);
    if (overlays != null) {
      for (var overlay : overlays) {
        out.overlay(overlay);
      }
    }
    var sessionIds = fact.sessionIds();
    out.flag(sessionIds != null);
    if (sessionIds != null) {
      out.texts(sessionIds);
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
      out.texts(deadLetterSources);
    }
  }

  private static MessagesRestored messages(FactReader in) throws UnreadableFact {
    var queue = in.queue();
    var sequenceNumbers = in.sequenceNumbers();
    var count = sequenceNumbers.length;
    return new MessagesRestored(
        queue,
        sequenceNumbers,
        in.distances(count, 0),
        in.naturals(count),
        in.naturals(count),
        in.distances(count, 0),
        in.flag() ? in.distances(count, 0) : null,
        in.flag() ? in.naturals(count) : null,
        in.flag() ? flags(count, in) : null,
        in.flag() ? in.causes(count) : null,
        in.flag() ? overlays(count, in) : null,
        in.flag() ? in.texts(count) : null,
        in.flag(),
        in.flag() ? in.distances(count, 0) : null,
        in.flag() ? in.naturals(count) : null,
        in.flag() ? in.naturals(count) : null,
        in.flag() ? in.texts(count) : null);
  }

  private static boolean[] flags(int count, FactReader in) throws UnreadableFact {
    var flags = new boolean[count];
    for (var i = 0; i < count; i++) {
      flags[i] = in.flag();
    }
    return flags;
  }

  private static Fact.@Nullable StoredOverlay[] overlays(int count, FactReader in)
      throws UnreadableFact {
    Fact.@Nullable StoredOverlay[] overlays = new Fact.StoredOverlay[count];
    for (var i = 0; i < count; i++) {
      overlays[i] = in.overlay();
    }
    return overlays;
  }
}
