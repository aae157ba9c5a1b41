package io.peeklock.codec;

import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.QueueId;
import java.util.ArrayList;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/** The fields of facts about messages that came. */
final class ArrivalCodec {
  private static final int EXPIRIES = 1;
  private static final int HASHES = 2;
  private static final int SESSIONS = 4;
  private static final int ALL = EXPIRIES | HASHES | SESSIONS;

  private ArrivalCodec() {}

  /** The most bytes that session ids take. */
  static long mostTextBytes(String @Nullable [] sessionIds) {
    var bytes = 0L;
    if (sessionIds != null) {
      for (var id : sessionIds) {
        bytes += 15 + 3L * id.length();
      }
    }
    return bytes;
  }

  static void write(Fact.Enqueued fact, FactWriter out) {
    out.natural(fact.queue().number());
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

  static Fact.Enqueued enqueued(QueueId queue, FactReader in) throws UnreadableFact {
    var firstSequenceNumber = in.unsigned();
    var firstBodyId = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var count = in.count();
    var sizes = in.naturals(count);
    var headerBytes = in.naturals(count);
    var rare = rare(in);
    return new Fact.Enqueued(
        queue,
        firstSequenceNumber,
        firstBodyId,
        enqueuedAtMillis,
        sizes,
        headerBytes,
        (rare & EXPIRIES) == 0 ? null : in.distances(count, enqueuedAtMillis),
        (rare & HASHES) == 0 ? null : in.words(2 * count),
        (rare & SESSIONS) == 0 ? null : sessionIds(count, in));
  }

  static void write(Fact.Scheduled fact, FactWriter out) {
    out.natural(fact.queue().number());
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

  static Fact.Scheduled scheduled(QueueId queue, FactReader in) throws UnreadableFact {
    var firstSequenceNumber = in.unsigned();
    var firstBodyId = in.unsigned();
    var arrivedAtMillis = in.signed();
    var count = in.count();
    var sizes = in.naturals(count);
    var headerBytes = in.naturals(count);
    var due = in.distances(count, arrivedAtMillis);
    var rare = rare(in);
    return new Fact.Scheduled(
        queue,
        firstSequenceNumber,
        firstBodyId,
        arrivedAtMillis,
        sizes,
        headerBytes,
        due,
        (rare & EXPIRIES) == 0 ? null : in.distances(count, arrivedAtMillis),
        (rare & HASHES) == 0 ? null : in.words(2 * count),
        (rare & SESSIONS) == 0 ? null : sessionIds(count, in));
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
      write(sessionIds, out);
    }
  }

  private static int rare(FactReader in) throws UnreadableFact {
    var rare = in.oneByte();
    if ((rare & ~ALL) != 0) {
      throw new UnreadableFact("a fact has columns that are not known");
    }
    return rare;
  }

  /** A new id is 0 and its text; one that was there is its place among the new ones, from 1. */
  static void write(String[] sessionIds, FactWriter out) {
    var known = new HashMap<String, Integer>();
    for (var id : sessionIds) {
      var place = known.putIfAbsent(id, known.size() + 1);
      out.natural(place == null ? 0 : place);
      if (place == null) {
        out.text(id);
      }
    }
  }

  static String[] sessionIds(int count, FactReader in) throws UnreadableFact {
    Invariant.check(count >= 0, "a count was read");
    var known = new ArrayList<String>();
    var ids = new String[count];
    for (var i = 0; i < count; i++) {
      var place = in.natural();
      if (place > known.size()) {
        throw new UnreadableFact("a session id is named before it came");
      }
      ids[i] = place == 0 ? in.text() : known.get(place - 1);
      if (place == 0) {
        known.add(ids[i]);
      }
    }
    return ids;
  }
}
