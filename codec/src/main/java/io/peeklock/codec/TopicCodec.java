package io.peeklock.codec;

import io.peeklock.kernel.Copies;
import io.peeklock.kernel.DeadLetterCause;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.QueueId;

/** The fields of facts about the messages of topics and their copies. */
final class TopicCodec {
  private static final int MESSAGES = 1;
  private static final int EXPIRIES = 2;
  private static final int SESSIONS = 4;
  private static final int CAUSES = 8;
  private static final int ALL = MESSAGES | EXPIRIES | SESSIONS | CAUSES;

  private TopicCodec() {}

  /** The most bytes that copies for all subscriptions take. */
  static long mostBytes(int messages, Copies[] copies) {
    var bytes = 0L;
    for (var each : copies) {
      var own = each.messages() == null ? messages : each.messages().length;
      bytes +=
          (6 + 4L * own) * FactCodec.NUMBER_BYTES + ArrivalCodec.mostTextBytes(each.sessionIds());
    }
    return bytes;
  }

  static void write(Fact.Published fact, FactWriter out) {
    out.natural(fact.topic().number());
    out.unsigned(fact.firstSequenceNumber());
    out.unsigned(fact.firstBodyId());
    out.signed(fact.enqueuedAtMillis());
    out.natural(fact.sizes().length);
    out.naturals(fact.sizes());
    out.naturals(fact.headerBytes());
    var hashes = fact.messageIdHashes();
    out.flag(hashes != null);
    if (hashes != null) {
      out.words(hashes);
    }
    write(fact.copies(), fact.enqueuedAtMillis(), out);
  }

  static Fact.Published published(QueueId topic, FactReader in) throws UnreadableFact {
    var firstSequenceNumber = in.unsigned();
    var firstBodyId = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var count = in.count();
    return new Fact.Published(
        topic,
        firstSequenceNumber,
        firstBodyId,
        enqueuedAtMillis,
        in.naturals(count),
        in.naturals(count),
        in.flag() ? in.words(2 * count) : null,
        copies(count, enqueuedAtMillis, in));
  }

  static void write(Fact.ScheduledPublished fact, FactWriter out) {
    out.natural(fact.topic().number());
    out.natural(fact.sequenceNumbers().length);
    out.distances(fact.sequenceNumbers(), 0);
    out.unsigned(fact.firstSequenceNumber());
    out.signed(fact.enqueuedAtMillis());
    write(fact.copies(), fact.enqueuedAtMillis(), out);
  }

  static Fact.ScheduledPublished scheduledPublished(QueueId topic, FactReader in)
      throws UnreadableFact {
    var sequenceNumbers = in.distances(in.count(), 0);
    var firstSequenceNumber = in.unsigned();
    var enqueuedAtMillis = in.signed();
    return new Fact.ScheduledPublished(
        topic,
        sequenceNumbers,
        firstSequenceNumber,
        enqueuedAtMillis,
        copies(sequenceNumbers.length, enqueuedAtMillis, in));
  }

  static void write(Copies[] all, long from, FactWriter out) {
    out.natural(all.length);
    for (var copies : all) {
      write(copies, from, out);
    }
  }

  private static void write(Copies copies, long from, FactWriter out) {
    out.natural(copies.subscription().number());
    out.unsigned(copies.firstSequenceNumber());
    var messages = copies.messages();
    var expiries = copies.expiresAtMillis();
    var sessionIds = copies.sessionIds();
    var causes = copies.causes();
    out.oneByte(
        (messages == null ? 0 : MESSAGES)
            | (expiries == null ? 0 : EXPIRIES)
            | (sessionIds == null ? 0 : SESSIONS)
            | (causes == null ? 0 : CAUSES));
    if (messages != null) {
      out.natural(messages.length);
      out.naturals(messages);
    }
    if (expiries != null) {
      out.distances(expiries, from);
    }
    if (sessionIds != null) {
      ArrivalCodec.write(sessionIds, out);
    }
    if (causes != null) {
      for (var cause : causes) {
        out.cause(cause);
      }
    }
  }

  static Copies[] copies(int messages, long from, FactReader in) throws UnreadableFact {
    var all = new Copies[in.count()];
    for (var i = 0; i < all.length; i++) {
      all[i] = oneSubscription(messages, from, in);
    }
    return all;
  }

  private static Copies oneSubscription(int messages, long from, FactReader in)
      throws UnreadableFact {
    var subscription = new QueueId(in.natural());
    var firstSequenceNumber = in.unsigned();
    var columns = in.oneByte();
    if ((columns & ~ALL) != 0) {
      throw new UnreadableFact("copies have columns that are not known");
    }
    var own = (columns & MESSAGES) == 0 ? null : in.naturals(in.count());
    for (var i = 0; own != null && i < own.length; i++) {
      if (own[i] >= messages) {
        throw new UnreadableFact("a copy is of message " + own[i] + " of " + messages);
      }
    }
    var count = own == null ? messages : own.length;
    return new Copies(
        subscription,
        firstSequenceNumber,
        own,
        (columns & EXPIRIES) == 0 ? null : in.distances(count, from),
        (columns & SESSIONS) == 0 ? null : ArrivalCodec.sessionIds(count, in),
        (columns & CAUSES) == 0 ? null : causes(count, in));
  }

  private static DeadLetterCause[] causes(int count, FactReader in) throws UnreadableFact {
    var causes = new DeadLetterCause[count];
    for (var i = 0; i < count; i++) {
      causes[i] = in.cause();
    }
    return causes;
  }
}
