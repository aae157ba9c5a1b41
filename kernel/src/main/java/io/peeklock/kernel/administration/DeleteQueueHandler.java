package io.peeklock.kernel.administration;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.deliver.ReceiverEnding;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.Entities;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;

/**
 * Deletes entities. The entity is gone in one step, for clients and for its path; its contents are
 * removed afterwards, slice by slice in turns with other work, so that millions of messages delay
 * nobody. The state shows what remains, also after a restart.
 */
public final class DeleteQueueHandler {

  /** The most messages, or states of sessions, of one slice. */
  static final int SLICE = 1_024;

  private DeleteQueueHandler() {}

  /** Decides the request; refused when no entity has the path. */
  public static Decision decide(MachineState state, Stamp stamp, EntityRequest.DeleteQueue delete) {
    QueueState queue = state.queue(delete.path());
    if (queue == null) {
      return Refusals.whole(
          delete.origin(), stamp, delete.ticket(), 0, new Refusal.EntityNotFound());
    }
    DecisionBuilder draft = new DecisionBuilder();
    ReceiverEnding ending = ending(state, stamp, draft);
    delete(queue, ending, draft);
    ending.done();
    return draft
        .add(new Effect.QueueChanged(delete.origin(), stamp.index(), delete.ticket()))
        .build();
  }

  /**
   * Adds the deletion of an entity, of a topic with its subscriptions (S-071): the topic first, so
   * that subscriptions need not be taken from it one by one.
   */
  static void delete(QueueState queue, ReceiverEnding ending, DecisionBuilder draft) {
    Entities.wholeOf(queue).forEach(each -> deleteAlone(each, ending, draft));
  }

  static void deleteAlone(QueueState queue, ReceiverEnding ending, DecisionBuilder draft) {
    draft.add(new EntityFact.QueueDeleted(queue.id()));
    endAll(queue, ending);
  }

  static void endAll(QueueState queue, ReceiverEnding ending) {
    ending.endAll(queue, false).endAll(queue.deadLetters(), false);
  }

  /** Closes the receivers of deleted entities. */
  static ReceiverEnding ending(MachineState state, Stamp stamp, DecisionBuilder draft) {
    return new ReceiverEnding(state, stamp, new Refusal.EntityNotFound(), draft);
  }

  /** Removes the next slice of the contents of deleted entities. */
  public static Decision empty(MachineState state, Stamp stamp) {
    QueueState queue = state.deleted().iterator().next();
    DecisionBuilder draft = new DecisionBuilder();
    if (holdsMessages(queue)) {
      takeMessages(state, queue, draft);
    } else if (holdsMessages(queue.deadLetters())) {
      takeMessages(state, queue.deadLetters(), draft);
    } else if (queue.scheduled().count() > 0) {
      draft.add(new Fact.Cancelled(queue.id(), firstNumbers(queue.scheduled().chunks())));
    } else if (queue.sessions() != null) {
      clearStates(queue, queue.sessions(), stamp, draft);
    }
    return draft.build();
  }

  private static boolean holdsMessages(QueueState queue) {
    return queue.messages().active() + queue.messages().deferred() > 0;
  }

  /** Locked messages lose their lock first: the grant that ends a lock must find its queue. */
  private static void takeMessages(MachineState state, QueueState queue, DecisionBuilder draft) {
    long[] numbers = firstNumbers(queue.messages().chunks());
    LongList locks = new LongList();
    for (int i = 0; i < numbers.length && queue.locks().count() > locks.size(); i++) {
      long place = queue.messages().find(numbers[i]);
      int lockSlot = queue.messages().chunk(place).lockSlot(Place.row(place));
      if (lockSlot != 0) {
        locks.add(state.locks.id(lockSlot - 1));
      }
    }
    if (locks.isEmpty()) {
      draft.add(new EntityFact.Deleted(queue.id(), numbers));
    } else {
      draft.add(new Grant.Unlocked(queue.id(), locks.toArray(), true));
    }
  }

  private static long[] firstNumbers(ChunkDirectory chunks) {
    LongList numbers = new LongList();
    for (int i = 0; i < chunks.size() && numbers.size() < SLICE; i++) {
      Chunk chunk = chunks.chunk(i);
      for (int row = 0; row < chunk.rows() && numbers.size() < SLICE; row++) {
        if (chunk.isPresent(row)) {
          numbers.add(chunk.number(row));
        }
      }
    }
    return numbers.toArray();
  }

  private static void clearStates(
      QueueState queue, SessionTable sessions, Stamp stamp, DecisionBuilder draft) {
    int left = SLICE;
    for (Session session : sessions.all()) {
      if (session.stateBodyId != 0) {
        draft.add(new Fact.SessionStateSet(queue.id(), session.id, 0, 0, stamp.nowMillis()));
        left--;
      }
      if (left == 0) {
        break;
      }
    }
  }
}
