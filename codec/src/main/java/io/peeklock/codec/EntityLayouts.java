package io.peeklock.codec;

import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.fact.EntityFact.QueueDeleted;
import io.peeklock.kernel.fact.EntityFact.QueueMadeAgain;
import io.peeklock.kernel.fact.EntityFact.QueueRestored;
import io.peeklock.kernel.fact.EntityFact.QueueUpdated;
import io.peeklock.kernel.fact.Fact.NamespaceDescribed;
import io.peeklock.kernel.fact.Fact.QueueCreated;
import java.util.List;

/** The layouts of facts about entities as a whole. */
final class EntityLayouts {
  static final List<FactLayout<?>> LAYOUTS =
      List.of(
          FactLayout.ofDefinition(
              1, QueueCreated.class, EntityLayouts::write, EntityLayouts::created),
          FactLayout.of(
              10,
              NamespaceDescribed.class,
              (fact, out) -> {
                out.natural(fact.nextQueueNumber());
                out.unsigned(fact.nextBodyId());
              },
              in -> new NamespaceDescribed(in.natural(), in.unsigned())),
          FactLayout.ofDefinition(
              12, QueueRestored.class, EntityLayouts::write, EntityLayouts::restored),
          FactLayout.ofDefinition(
              31,
              QueueUpdated.class,
              (fact, out) -> {
                out.queue(fact.queue());
                DefinitionCodec.write(fact.definition(), out);
                out.signed(fact.updatedAtMillis());
              },
              (version, in) ->
                  new QueueUpdated(in.queue(), DefinitionCodec.read(version, in), in.signed())),
          FactLayout.of(
              32,
              QueueDeleted.class,
              (fact, out) -> out.queue(fact.queue()),
              in -> new QueueDeleted(in.queue())),
          FactLayout.ofDefinition(
              34,
              QueueMadeAgain.class,
              (fact, out) -> {
                out.queue(fact.before());
                write(fact.created(), out);
              },
              EntityLayouts::madeAgain));

  private EntityLayouts() {}

  private static void write(QueueCreated fact, FactWriter out) {
    out.queue(fact.queue());
    out.queue(fact.deadLetterQueue());
    DefinitionCodec.write(fact.definition(), out);
    out.signed(fact.createdAtMillis());
  }

  private static QueueCreated created(int version, FactReader in) throws UnreadableFact {
    return new QueueCreated(in.queue(), in.queue(), DefinitionCodec.read(version, in), in.signed());
  }

  private static QueueMadeAgain madeAgain(int version, FactReader in) throws UnreadableFact {
    var before = in.queue();
    var made = created(version, in);
    return new QueueMadeAgain(
        before, made.queue(), made.deadLetterQueue(), made.definition(), made.createdAtMillis());
  }

  private static void write(QueueRestored fact, FactWriter out) {
    var entry = fact.entry();
    out.queue(entry.queue());
    out.queue(entry.deadLetterQueue());
    DefinitionCodec.write(entry.definition(), out);
    out.unsigned(fact.nextSequenceNumber());
    out.signed(entry.createdAtMillis());
    out.signed(entry.updatedAtMillis());
    out.flag(fact.deleted());
  }

  private static QueueRestored restored(int version, FactReader in) throws UnreadableFact {
    var queue = in.queue();
    var deadLetters = in.queue();
    var definition = DefinitionCodec.read(version, in);
    var next = in.unsigned();
    var entry = new QueueEntry(queue, deadLetters, definition, in.signed(), in.signed());
    return new QueueRestored(entry, next, in.flag());
  }
}
