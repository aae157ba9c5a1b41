package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.EntityRequest;
import io.peeklock.kernel.Fact;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.QueueId;
import io.peeklock.kernel.Rule;
import io.peeklock.kernel.Stamp;

/**
 * Empties a namespace in one step, whatever it holds: every entity is deleted, and those that are
 * to stay are made again as they were. So the work is that of the entities alone; their messages
 * are taken away afterwards, as those of any deleted entity are ({@link DeleteQueueHandler}).
 */
final class EmptyNamespaceHandler {

  private final MachineState state;
  private final Stamp stamp;
  private final Draft draft = new Draft();

  private EmptyNamespaceHandler(MachineState state, Stamp stamp) {
    this.state = state;
    this.stamp = stamp;
  }

  static Decision decide(MachineState state, Stamp stamp, EntityRequest.EmptyNamespace empty) {
    EmptyNamespaceHandler handler = new EmptyNamespaceHandler(state, stamp);
    handler.deleteAll();
    if (empty.keepsEntities()) {
      handler.makeAllAgain();
    }
    return handler
        .draft
        .add(new Effect.QueueChanged(empty.origin(), stamp.index(), empty.ticket()))
        .done();
  }

  /** What is below others goes with them. */
  private void deleteAll() {
    ReceiverEnding ending = DeleteQueueHandler.ending(state, stamp, draft);
    for (QueueState queue : state.created()) {
      if (queue.subscription() == null && !queue.isForTransfers()) {
        DeleteQueueHandler.delete(queue, ending, draft);
      }
    }
    ending.done();
  }

  /** In the order in which they were made, so that topics come before their subscriptions. */
  private void makeAllAgain() {
    int number = state.nextQueueNumber;
    for (QueueState queue : state.created()) {
      if (queue.isForTransfers()) {
        continue; // made when something has to wait
      }
      QueueId id = new QueueId(number);
      draft.add(
          new Fact.QueueCreated(
              id, new QueueId(number + 1), queue.definition(), queue.entry().createdAtMillis()));
      if (queue.subscription() != null) {
        for (Rule rule : queue.subscription().rules()) {
          draft.add(new Fact.RuleAdded(id, rule));
        }
      }
      draft.add(new Grant.Used(id, stamp));
      number += 2;
    }
  }
}
