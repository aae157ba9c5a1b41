package io.peeklock.codec;

import io.peeklock.kernel.fact.EntityFact.Deleted;
import io.peeklock.kernel.fact.Fact.Abandoned;
import io.peeklock.kernel.fact.Fact.Activated;
import io.peeklock.kernel.fact.Fact.Cancelled;
import io.peeklock.kernel.fact.Fact.Completed;
import io.peeklock.kernel.fact.Fact.Consumed;
import io.peeklock.kernel.fact.Fact.DeadLettered;
import io.peeklock.kernel.fact.Fact.Deferred;
import io.peeklock.kernel.fact.Fact.Expired;
import io.peeklock.kernel.fact.Fact.LockLapsed;
import io.peeklock.kernel.fact.Fact.PropertiesChanged;
import io.peeklock.kernel.fact.Fact.StoredOverlay;
import java.util.List;

/** The layouts of facts about what becomes of stored messages. */
final class MessageLayouts {
  static final List<FactLayout<?>> LAYOUTS =
      List.of(
          FactLayout.of(
              3,
              Completed.class,
              (fact, out) -> out.messages(fact.queue(), fact.sequenceNumbers()),
              in -> new Completed(in.queue(), in.sequenceNumbers())),
          FactLayout.of(
              4,
              Consumed.class,
              (fact, out) -> out.messages(fact.queue(), fact.sequenceNumbers()),
              in -> new Consumed(in.queue(), in.sequenceNumbers())),
          FactLayout.of(
              5,
              Expired.class,
              (fact, out) -> out.messages(fact.queue(), fact.sequenceNumbers()),
              in -> new Expired(in.queue(), in.sequenceNumbers())),
          FactLayout.of(
              6,
              Abandoned.class,
              (fact, out) -> {
                out.messages(fact.queue(), fact.sequenceNumbers());
                out.overlay(fact.overlay());
              },
              in -> new Abandoned(in.queue(), in.sequenceNumbers(), in.overlay())),
          FactLayout.of(
              7,
              LockLapsed.class,
              (fact, out) -> out.messages(fact.queue(), fact.sequenceNumbers()),
              in -> new LockLapsed(in.queue(), in.sequenceNumbers())),
          FactLayout.of(
              8,
              Deferred.class,
              (fact, out) -> {
                out.messages(fact.queue(), fact.sequenceNumbers());
                out.overlay(fact.overlay());
              },
              in -> new Deferred(in.queue(), in.sequenceNumbers(), in.overlay())),
          FactLayout.of(9, DeadLettered.class, MessageLayouts::write, MessageLayouts::deadLettered),
          FactLayout.of(
              15,
              Cancelled.class,
              (fact, out) -> out.messages(fact.queue(), fact.sequenceNumbers()),
              in -> new Cancelled(in.queue(), in.sequenceNumbers())),
          FactLayout.of(
              16,
              Activated.class,
              (fact, out) -> {
                out.messages(fact.queue(), fact.sequenceNumbers());
                out.unsigned(fact.firstSequenceNumber());
                out.signed(fact.enqueuedAtMillis());
              },
              in -> new Activated(in.queue(), in.sequenceNumbers(), in.unsigned(), in.signed())),
          FactLayout.of(
              22, PropertiesChanged.class, MessageLayouts::write, MessageLayouts::changed),
          FactLayout.of(
              33,
              Deleted.class,
              (fact, out) -> out.messages(fact.queue(), fact.sequenceNumbers()),
              in -> new Deleted(in.queue(), in.sequenceNumbers())));

  private MessageLayouts() {}

  private static void write(DeadLettered fact, FactWriter out) {
    out.messages(fact.queue(), fact.sequenceNumbers());
    out.queue(fact.deadLetterQueue());
    out.cause(fact.cause());
    out.flag(fact.counted());
    out.overlay(fact.overlay());
  }

  private static DeadLettered deadLettered(FactReader in) throws UnreadableFact {
    var queue = in.queue();
    var sequenceNumbers = in.sequenceNumbers();
    return new DeadLettered(
        queue, in.queue(), sequenceNumbers, in.cause(), in.flag(), in.overlay());
  }

  private static void write(PropertiesChanged fact, FactWriter out) {
    out.queue(fact.queue());
    out.unsigned(fact.sequenceNumber());
    out.unsigned(fact.overlay().bodyId());
    out.natural(fact.overlay().bytes());
  }

  private static PropertiesChanged changed(FactReader in) throws UnreadableFact {
    return new PropertiesChanged(
        in.queue(), in.unsigned(), new StoredOverlay(in.unsigned(), in.natural()));
  }
}
