package io.peeklock.codec;

import io.peeklock.kernel.fact.Fact.Published;
import io.peeklock.kernel.fact.Fact.ScheduledPublished;
import java.util.List;

/** The layouts of facts about messages of topics. */
final class TopicLayouts {
  static final List<FactLayout<?>> LAYOUTS =
      List.of(
          FactLayout.of(20, Published.class, TopicLayouts::write, TopicLayouts::published),
          FactLayout.of(21, ScheduledPublished.class, TopicLayouts::write, TopicLayouts::due));

  private TopicLayouts() {}

  private static void write(Published fact, FactWriter out) {
    out.queue(fact.topic());
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
    CopiesCodec.write(fact.copies(), fact.enqueuedAtMillis(), out);
  }

  private static Published published(FactReader in) throws UnreadableFact {
    var topic = in.queue();
    var firstSequenceNumber = in.unsigned();
    var firstBodyId = in.unsigned();
    var enqueuedAtMillis = in.signed();
    var count = in.count();
    return new Published(
        topic,
        firstSequenceNumber,
        firstBodyId,
        enqueuedAtMillis,
        in.naturals(count),
        in.naturals(count),
        in.flag() ? in.words(2 * count) : null,
        CopiesCodec.read(count, enqueuedAtMillis, in));
  }

  private static void write(ScheduledPublished fact, FactWriter out) {
    out.messages(fact.topic(), fact.sequenceNumbers());
    out.unsigned(fact.firstSequenceNumber());
    out.signed(fact.enqueuedAtMillis());
    CopiesCodec.write(fact.copies(), fact.enqueuedAtMillis(), out);
  }

  private static ScheduledPublished due(FactReader in) throws UnreadableFact {
    var topic = in.queue();
    var sequenceNumbers = in.sequenceNumbers();
    var firstSequenceNumber = in.unsigned();
    var enqueuedAtMillis = in.signed();
    return new ScheduledPublished(
        topic,
        sequenceNumbers,
        firstSequenceNumber,
        enqueuedAtMillis,
        CopiesCodec.read(sequenceNumbers.length, enqueuedAtMillis, in));
  }
}
