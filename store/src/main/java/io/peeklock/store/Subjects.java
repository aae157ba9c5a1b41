package io.peeklock.store;

import io.peeklock.kernel.Copies;
import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.ForwardFact;
import io.peeklock.kernel.MessagesRestored;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueEntry;
import io.peeklock.kernel.QueueId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What facts are about. No switch here has a default: a new fact must be thought about. */
final class Subjects {
  /** How long message ids are remembered where nobody said (S-268). */
  private static final long DEFAULT_WINDOW_MILLIS = 10 * 60_000L;

  private static final long[] NOTHING = {};

  private Subjects() {}

  /**
   * What a fact tells of a queue itself.
   *
   * @param next the number that the next message gets
   */
  record Told(QueueId queue, QueueId deadLetterQueue, QueueDefinition definition, long next) {
    /** As one that holds nothing. */
    EntityFact.QueueRestored restored() {
      return new EntityFact.QueueRestored(
          new QueueEntry(queue, deadLetterQueue, definition, 0, 0), 1, false);
    }

    Told with(QueueDefinition other) {
      return new Told(queue, deadLetterQueue, other, next);
    }
  }

  /** The queues that a fact names. */
  static List<QueueId> of(Fact fact) {
    return switch (fact) {
      case Fact.QueueCreated made -> List.of(made.queue(), made.deadLetterQueue());
      case EntityFact.QueueRestored made ->
          List.of(made.entry().queue(), made.entry().deadLetterQueue());
      case EntityFact.QueueUpdated updated -> List.of(updated.queue());
      case EntityFact.QueueDeleted deleted -> List.of(deleted.queue());
      case EntityFact.QueueMadeAgain made ->
          List.of(made.before(), made.queue(), made.deadLetterQueue());
      case EntityFact.Deleted some -> List.of(some.queue());
      case Fact.DeadLettered moved -> List.of(moved.queue(), moved.deadLetterQueue());
      case Fact.Enqueued some -> List.of(some.queue());
      case Fact.Scheduled some -> List.of(some.queue());
      case Fact.NumbersGiven some -> List.of(some.queue());
      case Fact.Cancelled some -> List.of(some.queue());
      case Fact.Activated some -> List.of(some.queue());
      case Fact.Completed some -> List.of(some.queue());
      case Fact.Consumed some -> List.of(some.queue());
      case Fact.Expired some -> List.of(some.queue());
      case Fact.Abandoned some -> List.of(some.queue());
      case Fact.LockLapsed some -> List.of(some.queue());
      case Fact.Deferred some -> List.of(some.queue());
      case MessagesRestored some -> List.of(some.queue());
      case Fact.MessageIdsRestored some -> List.of(some.queue());
      case Fact.SessionStateSet state -> List.of(state.queue());
      case Fact.SessionStatesRestored states -> List.of(states.queue());
      case Fact.Published some -> withCopies(some.topic(), some.copies());
      case Fact.ScheduledPublished some -> withCopies(some.topic(), some.copies());
      case ForwardFact.Forwarded some -> List.of(some.source(), some.destination());
      case ForwardFact.ForwardPublished some -> {
        var all = withCopies(some.topic(), some.copies());
        all.addFirst(some.source());
        yield all;
      }
      case ForwardFact.Dropped some -> List.of(some.queue());
      case Fact.PropertiesChanged some -> List.of(some.queue());
      case Fact.MessageIdsSeen some -> List.of(some.queue());
      case Fact.RuleAdded rule -> List.of(rule.subscription());
      case Fact.RuleRemoved rule -> List.of(rule.subscription());
      case Fact.RulesDescribed rules -> List.of(rules.subscription());
      case Fact.NamespaceDescribed ignored -> List.of();
    };
  }

  private static List<QueueId> withCopies(QueueId topic, Copies[] copies) {
    var all = new ArrayList<QueueId>();
    all.add(topic);
    for (var each : copies) {
      all.add(each.subscription());
    }
    return all;
  }

  /** What a fact tells of a queue itself; null for one that tells of messages. */
  static @Nullable Told toldBy(Fact fact) {
    return switch (fact) {
      case Fact.QueueCreated made ->
          new Told(made.queue(), made.deadLetterQueue(), made.definition(), 1);
      case EntityFact.QueueRestored made ->
          new Told(
              made.entry().queue(),
              made.entry().deadLetterQueue(),
              made.entry().definition(),
              made.nextSequenceNumber());
      case EntityFact.QueueMadeAgain made -> toldBy(made.created());
      case EntityFact.QueueUpdated ignored -> null;
      case EntityFact.QueueDeleted ignored -> null;
      case EntityFact.Deleted ignored -> null;
      case Fact.DeadLettered ignored -> null;
      case Fact.Enqueued ignored -> null;
      case Fact.Scheduled ignored -> null;
      case Fact.NumbersGiven ignored -> null;
      case Fact.Cancelled ignored -> null;
      case Fact.Activated ignored -> null;
      case Fact.Completed ignored -> null;
      case Fact.Consumed ignored -> null;
      case Fact.Expired ignored -> null;
      case Fact.Abandoned ignored -> null;
      case Fact.LockLapsed ignored -> null;
      case Fact.Deferred ignored -> null;
      case MessagesRestored ignored -> null;
      case Fact.MessageIdsRestored ignored -> null;
      case Fact.SessionStateSet ignored -> null;
      case Fact.SessionStatesRestored ignored -> null;
      case Fact.Published ignored -> null;
      case Fact.ScheduledPublished ignored -> null;
      case Fact.PropertiesChanged ignored -> null;
      case ForwardFact ignored -> null;
      case Fact.MessageIdsSeen ignored -> null;
      case Fact.RuleAdded ignored -> null;
      case Fact.RuleRemoved ignored -> null;
      case Fact.RulesDescribed ignored -> null;
      case Fact.NamespaceDescribed ignored -> null;
    };
  }

  /** Numbers of messages that a fact is the last one about. */
  static long[] settledBy(Fact fact) {
    return switch (fact) {
      case Fact.Completed done -> done.sequenceNumbers();
      case Fact.Consumed done -> done.sequenceNumbers();
      case Fact.Expired done -> done.sequenceNumbers();
      case Fact.NumbersGiven ignored -> NOTHING;
      case Fact.Cancelled done -> done.sequenceNumbers();
      case EntityFact.Deleted done -> done.sequenceNumbers();
      case EntityFact.QueueUpdated ignored -> NOTHING;
      case EntityFact.QueueDeleted ignored -> NOTHING;
      case EntityFact.QueueMadeAgain ignored -> NOTHING;
      case Fact.QueueCreated ignored -> NOTHING;
      case EntityFact.QueueRestored ignored -> NOTHING;
      case Fact.Enqueued ignored -> NOTHING;
      case Fact.Scheduled ignored -> NOTHING;
      case Fact.Activated ignored -> NOTHING;
      case Fact.Abandoned ignored -> NOTHING;
      case Fact.LockLapsed ignored -> NOTHING;
      case Fact.Deferred ignored -> NOTHING;
      case Fact.DeadLettered ignored -> NOTHING;
      case Fact.Published ignored -> NOTHING;
      case Fact.ScheduledPublished ignored -> NOTHING;
      case Fact.PropertiesChanged ignored -> NOTHING;
      case ForwardFact ignored -> NOTHING;
      case Fact.MessageIdsSeen ignored -> NOTHING;
      case Fact.RuleAdded ignored -> NOTHING;
      case Fact.RuleRemoved ignored -> NOTHING;
      case Fact.RulesDescribed ignored -> NOTHING;
      case Fact.NamespaceDescribed ignored -> NOTHING;
      case MessagesRestored ignored -> NOTHING;
      case Fact.MessageIdsRestored ignored -> NOTHING;
      case Fact.SessionStateSet ignored -> NOTHING;
      case Fact.SessionStatesRestored ignored -> NOTHING;
    };
  }

  /**
   * A definition that nobody told, as a fact shows it: whether the queue has sessions, and whether
   * it detects duplicates.
   */
  static QueueDefinition shown(QueueDefinition definition, Fact fact) {
    return switch (fact) {
      case Fact.Enqueued some ->
          with(definition, some.sessionIds() != null, some.messageIdHashes() != null);
      case Fact.Scheduled some ->
          with(definition, some.sessionIds() != null, some.messageIdHashes() != null);
      case MessagesRestored some -> with(definition, some.sessionIds() != null, false);
      case Fact.MessageIdsRestored ignored -> with(definition, false, true);
      case Fact.SessionStateSet ignored -> with(definition, true, false);
      case Fact.SessionStatesRestored ignored -> with(definition, true, false);
      case EntityFact.QueueUpdated updated -> updated.definition();
      case EntityFact.QueueDeleted ignored -> definition;
      case EntityFact.QueueMadeAgain ignored -> definition;
      case EntityFact.Deleted ignored -> definition;
      case Fact.QueueCreated ignored -> definition;
      case EntityFact.QueueRestored ignored -> definition;
      case Fact.DeadLettered ignored -> definition;
      case Fact.NumbersGiven ignored -> definition;
      case Fact.Cancelled ignored -> definition;
      case Fact.Activated ignored -> definition;
      case Fact.Completed ignored -> definition;
      case Fact.Consumed ignored -> definition;
      case Fact.Expired ignored -> definition;
      case Fact.Abandoned ignored -> definition;
      case Fact.LockLapsed ignored -> definition;
      case Fact.Deferred ignored -> definition;
      case Fact.MessageIdsSeen ignored -> with(definition, false, true);
      case Fact.Published ignored -> definition;
      case Fact.ScheduledPublished ignored -> definition;
      case Fact.PropertiesChanged ignored -> definition;
      case ForwardFact ignored -> definition;
      case Fact.RuleAdded ignored -> definition;
      case Fact.RuleRemoved ignored -> definition;
      case Fact.RulesDescribed ignored -> definition;
      case Fact.NamespaceDescribed ignored -> definition;
    };
  }

  private static QueueDefinition with(
      QueueDefinition definition, boolean hasSessions, boolean hasHashes) {
    var known = hasSessions ? definition.withSession(true) : definition;
    return hasHashes ? known.withDuplicateWindow(DEFAULT_WINDOW_MILLIS) : known;
  }
}
