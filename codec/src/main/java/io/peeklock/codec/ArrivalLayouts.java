package io.peeklock.codec;

import io.peeklock.kernel.fact.Fact.Enqueued;
import io.peeklock.kernel.fact.Fact.MessageIdsSeen;
import io.peeklock.kernel.fact.Fact.NumbersGiven;
import io.peeklock.kernel.fact.Fact.Scheduled;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The layouts of facts about messages that arrived or are scheduled. */
final class ArrivalLayouts {
  private static final int EXPIRIES = 1;
  private static final int HASHES = 2;
  private static final int SESSIONS = 4;
  private static final int ALL = EXPIRIES | HASHES | SESSIONS;

  static final List<FactLayout<?>> LAYOUTS =
      List.of(
          FactLayout.of(2, Enqueued.class, ArrivalLayouts::write, ArrivalLayouts::enqueued),
          FactLayout.of(14, Scheduled.class, ArrivalLayouts::write, ArrivalLayouts::scheduled),
          FactLayout.of(
              23, MessageIdsSeen.class, ArrivalLayouts::write, ArrivalLayouts::messageIdsSeen),
          FactLayout.of(
              30,
              NumbersGiven.class,
              (fact, out) -> {
                out.queue(fact.queue());
                out.unsigned(fact.firstSequenceNumber());
                out.natural(fact.count());
              },
              in -> new NumbersGiven(in.queue(), in.unsigned(), in.natural())));

  private ArrivalLayouts() {}

  private static void write(Enqueued fact, FactWriter out) {
    out.queue(fact.queue());
    out.unsigned(fact.firstSequenceNumber());
    out.unsigned(fact.firstBodyId());
    out.signed(fact.enqueuedAtMillis());
    out.natural(fact.sizes().length);
    out.naturals(fact.sizes());
    out.naturals(fact.headerBytes());
    writeRare(
        fact.expiresAtMillis(),
        fact.messageIdHashes(),
        fact.sessionIds(),
        fact.enqueuedAtMillis(),
        out);
  }

  private static Enqueued enqueued(FactReader in) throws UnreadableFact {
    var queue = in.queue();
    var firstSequenceNumber = in.unsigned();
    var firstBodyId = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var count = in.count();
    var sizes = in.naturals(count);
    var headerBytes = in.naturals(count);
    var rare = rare(in);
    return new Enqueued(
        queue,
        firstSequenceNumber,
        firstBodyId,
        enqueuedAtMillis,
        sizes,
        headerBytes,
        (rare & EXPIRIES) == 0 ? null : in.distances(count, enqueuedAtMillis),
        (rare & HASHES) == 0 ? null : in.words(2 * count),
        (rare & SESSIONS) == 0 ? null : in.texts(count));
  }

  private static void write(Scheduled fact, FactWriter out) {
    out.queue(fact.queue());
    out.unsigned(fact.firstSequenceNumber());
    out.unsigned(fact.firstBodyId());
    out.signed(fact.arrivedAtMillis());
    out.natural(fact.sizes().length);
    out.naturals(fact.sizes());
    out.naturals(fact.headerBytes());
    out.distances(fact.dueAtMillis(), fact.arrivedAtMillis());
    writeRare(
        fact.expiresAtMillis(),
        fact.messageIdHashes(),
        fact.sessionIds(),
        fact.arrivedAtMillis(),
        out);
  }

  private static Scheduled scheduled(FactReader in) throws UnreadableFact {
    var queue = in.queue();
    var firstSequenceNumber = in.unsigned();
    var firstBodyId = in.unsigned();
    var arrivedAtMillis = in.signed();
    var count = in.count();
    var sizes = in.naturals(count);
    var headerBytes = in.naturals(count);
    var due = in.distances(count, arrivedAtMillis);
    var rare = rare(in);
    return new Scheduled(
        queue,
        firstSequenceNumber,
        firstBodyId,
        arrivedAtMillis,
        sizes,
        headerBytes,
        due,
        (rare & EXPIRIES) == 0 ? null : in.distances(count, arrivedAtMillis),
        (rare & HASHES) == 0 ? null : in.words(2 * count),
        (rare & SESSIONS) == 0 ? null : in.texts(count));
  }

  private static void write(MessageIdsSeen fact, FactWriter out) {
    out.queue(fact.queue());
    out.signed(fact.arrivedAtMillis());
    out.natural(fact.hashes().length);
    out.words(fact.hashes());
  }

  private static MessageIdsSeen messageIdsSeen(FactReader in) throws UnreadableFact {
    var queue = in.queue();
    var arrivedAtMillis = in.signed();
    return new MessageIdsSeen(queue, in.words(in.count()), arrivedAtMillis);
  }

  private static void writeRare(
      long @Nullable [] expiries,
      long @Nullable [] hashes,
      String @Nullable [] sessionIds,
      long from,
      FactWriter out) {
    out.oneByte(
        (expiries == null ? 0 : EXPIRIES)
            | (hashes == null ? 0 : HASHES)
            | (sessionIds == null ? 0 : SESSIONS));
    if (expiries != null) {
      out.distances(expiries, from);
    }
    if (hashes != null) {
      out.words(hashes);
    }
    if (sessionIds != null) {
      out.texts(sessionIds);
    }
  }

  private static int rare(FactReader in) throws UnreadableFact {
    var rare = in.oneByte();
    if ((rare & ~ALL) != 0) {
      throw new UnreadableFact("a fact has columns that are not known");
    }
    return rare;
  }
}
