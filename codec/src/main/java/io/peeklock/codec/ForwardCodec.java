package io.peeklock.codec;

import io.peeklock.kernel.ForwardFact;
import io.peeklock.kernel.QueueId;
import org.jspecify.annotations.Nullable;

/** The fields of facts about messages that moved on by themselves. */
final class ForwardCodec {
  private static final int EXPIRIES = 1;
  private static final int HASHES = 2;
  private static final int SESSIONS = 4;
  private static final int SOURCE = 8;
  private static final int ALL = EXPIRIES | HASHES | SESSIONS | SOURCE;

  private ForwardCodec() {}

  /** The most bytes that the fields take. */
  static long mostBytes(ForwardFact fact) {
    return switch (fact) {
      case ForwardFact.Forwarded forwarded ->
          4L * FactCodec.NUMBER_BYTES * forwarded.sequenceNumbers().length
              + ArrivalCodec.mostTextBytes(forwarded.sessionIds())
              + textBytes(forwarded.deadLetterSource());
      case ForwardFact.ForwardPublished published ->
          3L * FactCodec.NUMBER_BYTES * published.sequenceNumbers().length
              + TopicCodec.mostBytes(published.sequenceNumbers().length, published.copies())
              + textBytes(published.deadLetterSource());
      case ForwardFact.Dropped dropped ->
          (long) FactCodec.NUMBER_BYTES * dropped.sequenceNumbers().length;
    };
  }

  private static long textBytes(@Nullable String text) {
    return text == null ? 0 : 3L * text.length();
  }

  static void write(ForwardFact.Forwarded fact, FactWriter out) {
    FactCodec.write(fact.source(), fact.sequenceNumbers(), out);
    out.natural(fact.destination().number());
    out.unsigned(fact.firstSequenceNumber());
    out.signed(fact.enqueuedAtMillis());
    var expiries = fact.expiresAtMillis();
    var hashes = fact.messageIdHashes();
    var sessionIds = fact.sessionIds();
    var source = fact.deadLetterSource();
    out.oneByte(
        (expiries == null ? 0 : EXPIRIES)
            | (hashes == null ? 0 : HASHES)
            | (sessionIds == null ? 0 : SESSIONS)
            | (source == null ? 0 : SOURCE));
    if (expiries != null) {
      out.distances(expiries, fact.enqueuedAtMillis());
    }
    if (hashes != null) {
      out.words(hashes);
    }
    if (sessionIds != null) {
      ArrivalCodec.write(sessionIds, out);
    }
    if (source != null) {
      out.text(source);
    }
  }

  static ForwardFact.Forwarded forwarded(QueueId source, long[] numbers, FactReader in)
      throws UnreadableFact {
    var destination = new QueueId(in.natural());
    var firstSequenceNumber = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var columns = columns(in, ALL);
    var count = numbers.length;
    return new ForwardFact.Forwarded(
        source,
        numbers,
        destination,
        firstSequenceNumber,
        enqueuedAtMillis,
        (columns & EXPIRIES) == 0 ? null : in.distances(count, enqueuedAtMillis),
        (columns & HASHES) == 0 ? null : in.words(2 * count),
        (columns & SESSIONS) == 0 ? null : ArrivalCodec.sessionIds(count, in),
        (columns & SOURCE) == 0 ? null : in.text());
  }

  static void write(ForwardFact.ForwardPublished fact, FactWriter out) {
    FactCodec.write(fact.source(), fact.sequenceNumbers(), out);
    out.natural(fact.topic().number());
    out.unsigned(fact.firstSequenceNumber());
    out.signed(fact.enqueuedAtMillis());
    var hashes = fact.messageIdHashes();
    var source = fact.deadLetterSource();
    out.oneByte((hashes == null ? 0 : HASHES) | (source == null ? 0 : SOURCE));
    if (hashes != null) {
      out.words(hashes);
    }
    if (source != null) {
      out.text(source);
    }
    TopicCodec.write(fact.copies(), fact.enqueuedAtMillis(), out);
  }

  static ForwardFact.ForwardPublished published(QueueId source, long[] numbers, FactReader in)
      throws UnreadableFact {
    var topic = new QueueId(in.natural());
    var firstSequenceNumber = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var columns = columns(in, HASHES | SOURCE);
    var hashes = (columns & HASHES) == 0 ? null : in.words(2 * numbers.length);
    var deadLetterSource = (columns & SOURCE) == 0 ? null : in.text();
    return new ForwardFact.ForwardPublished(
        source,
        numbers,
        topic,
        firstSequenceNumber,
        enqueuedAtMillis,
        hashes,
        TopicCodec.copies(numbers.length, enqueuedAtMillis, in),
        deadLetterSource);
  }

  private static int columns(FactReader in, int known) throws UnreadableFact {
    var columns = in.oneByte();
    if ((columns & ~known) != 0) {
      throw new UnreadableFact("forwarded messages have columns that are not known");
    }
    return columns;
  }
}
