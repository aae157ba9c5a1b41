package io.peeklock.kernel.apply;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.DuplicateDetectionHistory;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.kernel.state.CopyCursor;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TopicState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Applies facts: the only way in which durable state changes, live and in a replay.
 *
 * <p>Facts follow each other without a gap. Only in the repair of a damaged log may some be
 * missing: then counters continue from the next fact, and facts about unknown messages are skipped.
 */
public final class FactApplier {

  private final MachineState state;
  private final TopicApplier topics;
  private final ForwardApplier forwards;

  /** Applies facts to this state. */
  public FactApplier(MachineState state) {
    this.state = state;
    this.topics = new TopicApplier(state);
    this.forwards = new ForwardApplier(state, topics);
  }

  /**
   * Applies one fact.
   *
   * @param index of the batch that the fact is in
   * @throws Invariant.BrokenInvariant when the fact does not follow from the state, unless facts
   *     may be missing
   */
  public void apply(long index, Fact fact) {
    state.beforeFact(fact);
    switch (fact) { // no default: a new fact must be handled to compile
      case Fact.QueueCreated created -> create(created);
      case EntityFact.QueueUpdated updated -> update(updated);
      case EntityFact.QueueDeleted deleted -> delete(deleted);
      case EntityFact.QueueMadeAgain made -> makeAgain(made);
      case EntityFact.Deleted deleted -> delete(deleted);
      case Fact.Enqueued enqueued -> enqueue(index, enqueued);
      case Fact.Scheduled scheduled -> ScheduleApplier.schedule(state, index, scheduled);
      case Fact.NumbersGiven given -> ScheduleApplier.give(state, given);
      case Fact.Cancelled cancelled -> ScheduleApplier.cancel(state, cancelled);
      case Fact.Activated activated -> ScheduleApplier.activate(state, index, activated);
      case Fact.Published published -> topics.publish(index, published);
      case Fact.ScheduledPublished published -> topics.publish(index, published);
      case ForwardFact forwarded -> forwards.apply(index, forwarded);
      case Fact.PropertiesChanged changed -> changeProperties(changed);
      case Fact.MessageIdsSeen seen ->
          state.known(seen.queue()).remember(seen.hashes(), seen.arrivedAtMillis());
      case Fact.RuleAdded added -> addRule(added);
      case Fact.RuleRemoved removed -> removeRule(removed);
      case Fact.RulesDescribed described -> describeRules(described);
      case Fact.Completed completed -> remove(completed.queue(), completed.sequenceNumbers());
      case Fact.Consumed consumed -> remove(consumed.queue(), consumed.sequenceNumbers());
      case Fact.Expired expired -> remove(expired.queue(), expired.sequenceNumbers());
      case Fact.Abandoned abandoned ->
          countUp(index, abandoned.queue(), abandoned.sequenceNumbers(), abandoned.overlay());
      case Fact.LockLapsed lapsed -> countUp(index, lapsed.queue(), lapsed.sequenceNumbers(), null);
      case Fact.Deferred deferred -> defer(index, deferred);
      case Fact.DeadLettered deadLettered -> deadLetter(index, deadLettered);
      case Fact.NamespaceDescribed described -> describeNamespace(described);
      case EntityFact.QueueRestored restored -> restoreQueue(restored);
      case MessagesRestored restored -> restoreMessages(index, restored);
      case Fact.MessageIdsRestored restored -> restoreIds(restored);
      case Fact.CopyCursorRestored restored ->
          state
              .known(restored.queue())
              .copiedUpTo(new CopyCursor(restored.sequenceNumber(), restored.upTo()));
      case Fact.SessionStateSet set -> SessionApplier.set(state, set);
      case Fact.SessionStatesRestored restored -> SessionApplier.restore(state, restored);
    }
  }

  private void create(Fact.QueueCreated fact) {
    state.checkConsecutive(
        fact.queue().number() == state.nextQueueNumber
            && fact.deadLetterQueue().number() == state.nextQueueNumber + 1,
        "queues are numbered in order of creation");
    state.nextQueueNumber = fact.deadLetterQueue().number() + 1;
    long created = fact.createdAtMillis();
    state.addQueue(
        new QueueEntry(fact.queue(), fact.deadLetterQueue(), fact.definition(), created, created),
        1);
  }

  private void update(EntityFact.QueueUpdated fact) {
    QueueState queue = state.knownUnlessMissing(fact.queue());
    if (queue != null) {
      state.entities.update(queue, fact.definition(), fact.updatedAtMillis());
      state.forwards.restart(queue);
      state.forwards.restart(queue.deadLetters());
      state.refresh(queue);
      state.refresh(queue.deadLetters());
    }
  }

  private void delete(EntityFact.QueueDeleted fact) {
    QueueState queue = state.knownUnlessMissing(fact.queue());
    if (queue != null) {
      state.deleteQueue(queue);
    }
  }

  private void makeAgain(EntityFact.QueueMadeAgain fact) {
    QueueState before = state.knownUnlessMissing(fact.before());
    if (before == null) {
      create(fact.created());
      return;
    }
    TopicState topic = before.topic();
    SubscriptionState subscription = before.subscription();
    TopicState kept = new TopicState(false, state.stored);
    if (topic != null) {
      kept.takeRules(topic); // before it is closed with all that it has
    }
    state.deleteQueue(before);
    create(fact.created());
    QueueState after = state.known(fact.queue());
    if (after.topic() != null) {
      after.topic().takeRules(kept);
    }
    if (after.subscription() != null && subscription != null) {
      after.subscription().takeRules(subscription);
    }
  }

  private void addRule(Fact.RuleAdded fact) {
    state.entities.leavingRules().makeRoomFor(fact.rule());
    SubscriptionState subscription = state.subscriptionUnlessMissing(fact.subscription());
    if (subscription != null) {
      String name = fact.rule().name();
      if (subscription.rule(name) != null) {
        state.checkConsecutive(false, "a rule that is added has a name of its own");
        subscription.remove(name); // it is missing that the one before went
      }
      subscription.add(fact.rule());
    }
  }

  private void removeRule(Fact.RuleRemoved fact) {
    SubscriptionState subscription = state.subscriptionUnlessMissing(fact.subscription());
    if (subscription != null) {
      subscription.remove(fact.name());
    }
  }

  private void describeRules(Fact.RulesDescribed fact) {
    SubscriptionState subscription = state.subscriptionUnlessMissing(fact.subscription());
    if (subscription != null) {
      subscription.replace(fact.rules());
    }
  }

  private void enqueue(long index, Fact.Enqueued fact) {
    QueueState queue = state.known(fact.queue());
    state.checkNumbersConsecutive(queue, fact.firstSequenceNumber());
    state.checkConsecutive(fact.firstBodyId() == state.nextBodyId, "body ids go up without a gap");
    state.beforeInsert(queue.messages().chunks(), fact.firstSequenceNumber());
    queue.messages().append(fact, index);
    queue.remember(fact.messageIdHashes(), fact.enqueuedAtMillis());
    queue.numbersUsedUpTo(fact.firstSequenceNumber() + fact.sizes().length);
    state.nextBodyId = fact.firstBodyId() + fact.sizes().length;
    state.refresh(queue);
  }

  private void remove(QueueId id, long[] numbers) {
    QueueState queue = state.knownUnlessMissing(id);
    if (queue == null) {
      return;
    }
    for (long number : numbers) {
      long place = state.find(queue, number);
      if (place != Place.NONE) {
        state.remove(queue, place);
      }
    }
    state.entities.dropIfEmptied(queue);
    state.refresh(queue);
  }

  /** A deleted queue gives back whole chunks, as nothing reads their messages any more. */
  private void delete(EntityFact.Deleted fact) {
    QueueState queue = state.knownUnlessMissing(fact.queue());
    long[] numbers = fact.sequenceNumbers();
    int dropped =
        queue == null || !queue.isDeleted() ? 0 : ChunkDrop.dropChunks(state, queue, numbers);
    remove(fact.queue(), Arrays.copyOfRange(numbers, dropped, numbers.length));
  }

  private void changeProperties(Fact.PropertiesChanged fact) {
    QueueState queue = state.known(fact.queue());
    setOverlay(queue, state.find(queue, fact.sequenceNumber()), fact.overlay());
  }

  private void countUp(
      long index, QueueId id, long[] numbers, Fact.@Nullable StoredOverlay overlay) {
    QueueState queue = state.known(id);
    for (long number : numbers) {
      long place = state.find(queue, number);
      if (place != Place.NONE) {
        countUp(index, queue, place);
      }
      setOverlay(queue, place, overlay);
    }
    state.refresh(queue);
  }

  /** In a dead-letter queue no end of a delivery counts (S-132). */
  private static void countUp(long index, QueueState queue, long place) {
    Chunk chunk = queue.messages().chunk(place);
    if (!queue.isDeadLetterQueue()) {
      countUp(chunk, Place.row(place));
    }
    chunk.touched(index);
  }

  private static void countUp(Chunk chunk, int row) {
    chunk.setDeliveryCount(row, chunk.deliveryCount(row) + 1);
  }

  private void defer(long index, Fact.Deferred fact) {
    QueueState queue = state.known(fact.queue());
    for (long number : fact.sequenceNumbers()) {
      long place = state.find(queue, number);
      if (place != Place.NONE) {
        countUp(index, queue, place);
        queue.messages().defer(place);
      }
      setOverlay(queue, place, fact.overlay());
    }
    state.refresh(queue);
  }

  private void deadLetter(long index, Fact.DeadLettered fact) {
    QueueState queue = state.known(fact.queue());
    QueueState target = state.known(fact.deadLetterQueue());
    for (long number : fact.sequenceNumbers()) {
      long place = state.find(queue, number);
      setOverlay(queue, place, fact.overlay());
      if (place != Place.NONE) {
        if (fact.counted()) {
          countUp(queue.messages().chunk(place), Place.row(place));
        }
        state.move(index, queue, place, fact.cause());
      }
    }
    state.refresh(queue);
    state.refresh(target);
  }

  /**
   * Stores changed properties in place of earlier ones; for a message that is gone they are dead at
   * once.
   */
  private void setOverlay(QueueState queue, long place, Fact.@Nullable StoredOverlay overlay) {
    if (overlay == null) {
      return;
    }
    state.checkConsecutive(overlay.bodyId() == state.nextBodyId, "body ids go up without a gap");
    state.nextBodyId = overlay.bodyId() + 1;
    if (place == Place.NONE) {
      state.deadBodies.add(overlay.bodyId());
      return;
    }
    Chunk chunk = queue.messages().chunk(place);
    int row = Place.row(place);
    state.dropOverlay(queue, chunk.overlaySlot(row));
    chunk.setOverlaySlot(row, state.overlays.add(overlay.bodyId(), overlay.bytes()));
    queue.held.overlayCame(overlay.bytes());
    queue.messages().addBytes(overlay.bytes());
  }

  private void describeNamespace(Fact.NamespaceDescribed fact) {
    Invariant.check(
        state.nextQueueNumber == 1 && state.nextBodyId == 1, "counters are described at first");
    state.nextQueueNumber = fact.nextQueueNumber();
    state.nextBodyId = fact.nextBodyId();
  }

  private void restoreQueue(EntityFact.QueueRestored fact) {
    if (fact.deleted()) {
      state.entities.addDeleted(fact.entry(), fact.nextSequenceNumber());
    } else {
      state.addQueue(fact.entry(), fact.nextSequenceNumber());
    }
  }

  private void restoreMessages(long index, MessagesRestored fact) {
    QueueState queue = state.known(fact.queue());
    if (fact.scheduled()) {
      queue.scheduled().restore(fact, state.tables, index);
    } else {
      queue.messages().restore(fact, state.tables, index);
      queue.restored();
    }
    state.refresh(queue);
  }

  private void restoreIds(Fact.MessageIdsRestored fact) {
    DuplicateDetectionHistory ids = state.known(fact.queue()).rememberedIds();
    for (int i = 0; ids != null && i < fact.arrivedAtMillis().length; i++) {
      ids.add(fact.hashes()[2 * i], fact.hashes()[2 * i + 1], fact.arrivedAtMillis()[i]);
    }
  }
}
