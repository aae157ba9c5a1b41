package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.deliver.ReceiverEnding;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SubscriptionState;

/**
 * Empties a namespace: every entity is deleted, and an entity that stays is made again by the same
 * fact. So the work depends on the number of entities and not of their rules; messages are removed
 * afterwards, as for any deleted entity ({@link DeleteQueueHandler}). One decision handles about
 * {@link #SLICE} entities, a topic with all its subscriptions at once. Later decisions continue
 * with the entities that existed at the beginning, and the last one answers.
 */
public final class EmptyNamespaceHandler {

  /** The number of entities after which a decision ends. */
  public static final int SLICE = 256;

  private final MachineState state;
  private final Stamp stamp;
  private final Grant.EmptyingBegins emptying;
  private final DecisionBuilder draft = new DecisionBuilder();
  private int nextNumber;
  private int done;

  private EmptyNamespaceHandler(MachineState state, Stamp stamp, Grant.EmptyingBegins emptying) {
    this.state = state;
    this.stamp = stamp;
    this.emptying = emptying;
    this.nextNumber = state.nextQueueNumber;
  }

  /** Begins, and if the entities are few also ends; never refused. */
  public static Decision decide(
      MachineState state, Stamp stamp, EntityRequest.EmptyNamespace empty) {
    Grant.EmptyingBegins all =
        new Grant.EmptyingBegins(
            empty.origin(), empty.ticket(), empty.keepsEntities(), state.nextQueueNumber);
    EmptyNamespaceHandler handler = new EmptyNamespaceHandler(state, stamp, all);
    if (handler.emptySome()) {
      handler.answer();
    } else {
      handler.draft.add(all);
    }
    return handler.draft.build();
  }

  /** Continues the first emptying in progress. */
  public static Decision next(MachineState state, Stamp stamp) {
    Grant.EmptyingBegins emptying = state.emptyings.element();
    EmptyNamespaceHandler handler = new EmptyNamespaceHandler(state, stamp, emptying);
    if (handler.emptySome()) {
      handler.draft.add(new Grant.EmptyingEnds());
      handler.answer();
    }
    return handler.draft.build();
  }

  private void answer() {
    draft.add(new Effect.QueueChanged(emptying.asker(), stamp.index(), emptying.ticket()));
  }

  /** Empties entities in order of creation; returns whether these were all. */
  private boolean emptySome() {
    ReceiverEnding ending = DeleteQueueHandler.ending(state, stamp, draft);
    boolean all = true;
    for (QueueState queue : state.created()) {
      if (queue.id().number() >= emptying.endNumber()) {
        break; // created since
      }
      if (done >= SLICE) {
        all = false;
        break;
      }
      if (queue.subscription() == null && !queue.isForTransfers()) { // others go with theirs
        empty(queue, ending);
      }
    }
    ending.done();
    return all;
  }

  private void empty(QueueState queue, ReceiverEnding ending) {
    done += queue.topic() == null ? 1 : 1 + queue.topic().subscriptions().size();
    if (!emptying.keepsEntities()) {
      DeleteQueueHandler.delete(queue, ending, draft);
      return;
    }
    for (QueueState transfers : queue.transfers) { // they are created again when needed
      DeleteQueueHandler.deleteAlone(transfers, ending, draft);
    }
    makeAgain(queue, ending);
    if (queue.topic() != null) {
      for (SubscriptionState subscription : queue.topic().subscriptions()) {
        makeAgain(subscription.queue(), ending);
      }
    }
  }

  private void makeAgain(QueueState queue, ReceiverEnding ending) {
    QueueId id = new QueueId(nextNumber);
    QueueId deadLetters = new QueueId(nextNumber + 1);
    nextNumber += 2;
    draft.add(
        new EntityFact.QueueMadeAgain(
            queue.id(), id, deadLetters, queue.definition(), queue.entry().createdAtMillis()));
    draft.add(new Grant.Used(id, stamp, false));
    DeleteQueueHandler.endAll(queue, ending);
  }
}
