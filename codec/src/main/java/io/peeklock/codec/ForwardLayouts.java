package io.peeklock.codec;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.fact.ForwardFact.ActivatedInBacklog;
import io.peeklock.kernel.fact.ForwardFact.Dropped;
import io.peeklock.kernel.fact.ForwardFact.ForwardPublished;
import io.peeklock.kernel.fact.ForwardFact.Forwarded;
import io.peeklock.kernel.fact.ForwardFact.PartPublished;
import java.util.List;

/** The layouts of facts about forwarded messages. */
final class ForwardLayouts {
  private static final int EXPIRIES = 1;
  private static final int HASHES = 2;
  private static final int SESSIONS = 4;
  private static final int SOURCE = 8;
  private static final int LAST = 16;
  private static final int ALL = EXPIRIES | HASHES | SESSIONS | SOURCE;

  static final List<FactLayout<?>> LAYOUTS =
      List.of(
          FactLayout.of(27, Forwarded.class, ForwardLayouts::write, ForwardLayouts::forwarded),
          FactLayout.of(
              28, ForwardPublished.class, ForwardLayouts::write, ForwardLayouts::published),
          FactLayout.of(
              29,
              Dropped.class,
              (fact, out) -> out.messages(fact.queue(), fact.sequenceNumbers()),
              in -> new Dropped(in.queue(), in.sequenceNumbers())),
          FactLayout.of(35, PartPublished.class, ForwardLayouts::write, ForwardLayouts::part),
          FactLayout.of(
              36, ActivatedInBacklog.class, ForwardLayouts::write, ForwardLayouts::activated));

  private ForwardLayouts() {}

  private static void write(Forwarded fact, FactWriter out) {
    out.messages(fact.source(), fact.sequenceNumbers());
    out.queue(fact.destination());
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
      out.texts(sessionIds);
    }
    if (source != null) {
      out.text(source);
    }
  }

  private static Forwarded forwarded(FactReader in) throws UnreadableFact {
    var source = in.queue();
    var numbers = in.sequenceNumbers();
    var destination = in.queue();
    var firstSequenceNumber = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var columns = columns(in, ALL);
    var count = numbers.length;
    return new Forwarded(
        source,
        numbers,
        destination,
        firstSequenceNumber,
        enqueuedAtMillis,
        (columns & EXPIRIES) == 0 ? null : in.distances(count, enqueuedAtMillis),
        (columns & HASHES) == 0 ? null : in.words(2 * count),
        (columns & SESSIONS) == 0 ? null : in.texts(count),
        (columns & SOURCE) == 0 ? null : in.text());
  }

  private static void write(ForwardPublished fact, FactWriter out) {
    out.messages(fact.source(), fact.sequenceNumbers());
    out.queue(fact.topic());
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
    CopiesCodec.write(fact.copies(), fact.enqueuedAtMillis(), out);
  }

  private static ForwardPublished published(FactReader in) throws UnreadableFact {
    var source = in.queue();
    var numbers = in.sequenceNumbers();
    var topic = in.queue();
    var firstSequenceNumber = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var columns = columns(in, HASHES | SOURCE);
    var hashes = (columns & HASHES) == 0 ? null : in.words(2 * numbers.length);
    var deadLetterSource = (columns & SOURCE) == 0 ? null : in.text();
    return new ForwardPublished(
        source,
        numbers,
        topic,
        firstSequenceNumber,
        enqueuedAtMillis,
        hashes,
        CopiesCodec.read(numbers.length, enqueuedAtMillis, in),
        deadLetterSource);
  }

  private static void write(PartPublished fact, FactWriter out) {
    out.queue(fact.source());
    out.unsigned(fact.sequenceNumber());
    out.queue(fact.topic());
    out.unsigned(fact.topicNumber());
    out.signed(fact.enqueuedAtMillis());
    var expires = fact.expiresAtMillis();
    var hashes = fact.messageIdHashes();
    out.oneByte(
        (expires == QueueDefinition.FOREVER ? 0 : EXPIRIES)
            | (hashes == null ? 0 : HASHES)
            | (fact.last() ? LAST : 0));
    if (expires != QueueDefinition.FOREVER) {
      out.signed(expires - fact.enqueuedAtMillis());
    }
    if (hashes != null) {
      out.words(hashes);
    }
    out.natural(fact.upTo());
    CopiesCodec.write(fact.copies(), fact.enqueuedAtMillis(), out);
  }

  private static PartPublished part(FactReader in) throws UnreadableFact {
    var source = in.queue();
    var sequenceNumber = in.unsigned();
    var topic = in.queue();
    var topicNumber = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var columns = columns(in, EXPIRIES | HASHES | LAST);
    var expires =
        (columns & EXPIRIES) == 0 ? QueueDefinition.FOREVER : enqueuedAtMillis + in.signed();
    var hashes = (columns & HASHES) == 0 ? null : in.words(2);
    var upTo = in.natural();
    return new PartPublished(
        source,
        sequenceNumber,
        topic,
        topicNumber,
        enqueuedAtMillis,
        expires,
        hashes,
        CopiesCodec.read(1, enqueuedAtMillis, in),
        upTo,
        (columns & LAST) != 0);
  }

  private static void write(ActivatedInBacklog fact, FactWriter out) {
    out.messages(fact.source(), fact.sequenceNumbers());
    out.unsigned(fact.topicNumber());
    out.queue(fact.backlog());
    out.unsigned(fact.firstSequenceNumber());
    out.signed(fact.enqueuedAtMillis());
  }

  private static ActivatedInBacklog activated(FactReader in) throws UnreadableFact {
    return new ActivatedInBacklog(
        in.queue(), in.sequenceNumbers(), in.unsigned(), in.queue(), in.unsigned(), in.signed());
  }

  private static int columns(FactReader in, int known) throws UnreadableFact {
    var columns = in.oneByte();
    if ((columns & ~known) != 0) {
      throw new UnreadableFact("forwarded messages have columns that are not known");
    }
    return columns;
  }
}
