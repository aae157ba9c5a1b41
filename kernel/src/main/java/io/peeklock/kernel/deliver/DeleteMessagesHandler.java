package io.peeklock.kernel.deliver;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.columns.SortedLongs;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.Refusals;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;

/**
 * Deletes available messages without delivering them, the oldest first (S-411, S-415). Locked
 * messages (S-414), deferred and scheduled ones stay, and so do expired ones, which expire as
 * usual. One request is one bounded slice; a client that wants more asks again (S-416).
 */
public final class DeleteMessagesHandler {

  /** The most messages that one decision looks at, including those that stay. */
  public static final int MOST_LOOKED_AT = 1 << 16;

  private final QueueState queue;
  private final Stamp stamp;
  private final EntityRequest.DeleteMessages delete;
  private final long enqueuedBeforeMillis;
  private final LongList numbers = new LongList();

  private DeleteMessagesHandler(
      QueueState queue, Stamp stamp, EntityRequest.DeleteMessages delete) {
    this.queue = queue;
    this.stamp = stamp;
    this.delete = delete;
    this.enqueuedBeforeMillis = stamp.shardTimeOf(delete.enqueuedBeforeMillis());
  }

  /**
   * Decides the request. Refused when the queue does not exist, forwards its messages, is disabled
   * for receiving, or is partitioned (S-375).
   */
  public static Decision decide(
      MachineState state, Stamp stamp, EntityRequest.DeleteMessages delete) {
    QueueState queue = state.queue(delete.queue());
    Refusal refusal = DemandHandler.refusal(queue);
    if (queue == null || refusal != null) {
      return refused(stamp, delete, refusal == null ? new Refusal.EntityNotFound() : refusal);
    }
    if (isPartitioned(state, queue)) { // S-375
      return refused(stamp, delete, new Refusal.NotOnPartitioned());
    }
    DeleteMessagesHandler handler = new DeleteMessagesHandler(queue, stamp, delete);
    int most = Math.min(delete.most(), EntityRequest.MOST_DELETED);
    if (delete.sessionId() == null) {
      handler.collect(most);
    } else if (queue.sessions() != null) {
      handler.collect(queue.sessions(), delete.sessionId(), most);
    }
    return handler.decision();
  }

  private static boolean isPartitioned(MachineState state, QueueState queue) {
    QueueState fed =
        queue.definition().role() instanceof QueueRole.Subscription subscription
            ? state.queue(subscription.topicPath())
            : null;
    return (fed == null ? queue : fed).definition().partitioned();
  }

  private static Decision refused(
      Stamp stamp, EntityRequest.DeleteMessages delete, Refusal refusal) {
    return Refusals.whole(delete.origin(), stamp, delete.ticket(), 0, refusal);
  }

  private void collect(int most) {
    MessageIndex messages = queue.messages();
    long place = messages.firstAvailable();
    for (int looked = 0;
        place != Place.NONE
            && numbers.size() < most
            && looked < MOST_LOOKED_AT
            && isOldEnough(place);
        looked++) {
      if (isFree(place)) {
        add(place);
      }
      place = messages.nextAvailable(place);
    }
  }

  /** Collects messages of one session; none if it does not exist or another receiver holds it. */
  private void collect(SessionTable sessions, String sessionId, int most) {
    Session session = sessions.byId(sessionId);
    if (session == null || isHeldByAnother(session)) {
      return;
    }
    long number = session.available.first();
    for (int looked = 0;
        number != SortedLongs.NONE && numbers.size() < most && looked < MOST_LOOKED_AT;
        looked++) {
      long place = queue.messages().find(number);
      if (!isOldEnough(place)) {
        return;
      }
      add(place);
      number = session.available.from(number + 1);
    }
  }

  /** Times never fall with numbers (I-14). */
  private boolean isOldEnough(long place) {
    long enqueued = queue.messages().chunk(place).enqueuedAtMillis(Place.row(place));
    return enqueued < enqueuedBeforeMillis;
  }

  private void add(long place) {
    if (!queue.isExpired(place, stamp.nowMillis())) {
      numbers.add(queue.messages().number(place));
    }
  }

  private boolean isHeldByAnother(Session session) {
    return session.isHeld(stamp.monotonicMillis())
        && (delete.holder() == null || !session.isHeldBy(delete.holder()));
  }

  private boolean isFree(long place) {
    SessionTable sessions = queue.sessions();
    return sessions == null
        || !isHeldByAnother(
            sessions.bySlot(queue.messages().chunk(place).sessionSlot(Place.row(place))));
  }

  private Decision decision() {
    DecisionBuilder draft = new DecisionBuilder();
    if (!numbers.isEmpty()) {
      draft.add(new EntityFact.Deleted(queue.id(), numbers.toArray()));
    }
    return draft
        .add(
            new Effect.MessagesDeleted(
                delete.origin(), stamp.index(), delete.ticket(), numbers.size()))
        .build();
  }
}
