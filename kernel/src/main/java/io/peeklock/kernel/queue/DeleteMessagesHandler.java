package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Effect;
import io.peeklock.kernel.EntityFact;
import io.peeklock.kernel.EntityRequest;
import io.peeklock.kernel.QueueRole;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * Deletes available messages without delivering them, the oldest first (S-411, S-415): neither
 * locked ones (S-414), nor deferred and scheduled ones, nor those whose time is over, which expire
 * as they would otherwise. One request is one bounded slice; who wants more asks again (S-416).
 */
final class DeleteMessagesHandler {

  /** The most messages that one decision looks at, those that stay among them. */
  static final int MOST_LOOKED_AT = 1 << 16;

  private final QueueState queue;
  private final Stamp stamp;
  private final EntityRequest.DeleteMessages delete;
  private final LongList numbers = new LongList();

  private DeleteMessagesHandler(
      QueueState queue, Stamp stamp, EntityRequest.DeleteMessages delete) {
    this.queue = queue;
    this.stamp = stamp;
    this.delete = delete;
  }

  static Decision decide(MachineState state, Stamp stamp, EntityRequest.DeleteMessages delete) {
    QueueState queue = state.queue(delete.queue());
    Refusal refusal = DemandHandler.refusal(queue);
    if (queue == null || refusal != null) {
      return refused(stamp, delete, refusal == null ? new Refusal.EntityNotFound() : refusal);
    }
    if (isPartitioned(state, queue)) { // S-375
      return refused(stamp, delete, new Refusal.NotOnPartitioned());
    }
    DeleteMessagesHandler handler = new DeleteMessagesHandler(queue, stamp, delete);
    handler.collect(Math.min(delete.most(), EntityRequest.MOST_DELETED));
    return handler.done();
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
    Session wanted = wanted();
    if (delete.sessionId() != null && wanted == null) {
      return; // no such session, or one that somebody else holds
    }
    long place = messages.firstAvailable();
    for (int looked = 0;
        place != MessageIndex.NONE && numbers.size() < most && looked < MOST_LOOKED_AT;
        looked++) {
      Chunk chunk = messages.chunk(place);
      int row = MessageIndex.row(place);
      if (chunk.enqueuedAtMillis(row) >= delete.enqueuedBeforeMillis()) {
        return; // times never fall with numbers (I-14)
      }
      if (!queue.isExpired(place, stamp.nowMillis()) && isFree(chunk, row, wanted)) {
        numbers.add(chunk.number(row));
      }
      place = messages.nextAvailable(place);
    }
  }

  /** The session that is asked for, when nobody else holds it. */
  private @Nullable Session wanted() {
    String id = delete.sessionId();
    SessionTable sessions = queue.sessions();
    Session session = id == null || sessions == null ? null : sessions.byId(id);
    return session == null || isHeldByAnother(session) ? null : session;
  }

  private boolean isHeldByAnother(Session session) {
    return session.isHeld(stamp.monotonicMillis())
        && (delete.holder() == null || !session.isHeldBy(delete.holder()));
  }

  private boolean isFree(Chunk chunk, int row, @Nullable Session wanted) {
    if (queue.sessions() == null) {
      return true;
    }
    Session session = queue.sessions().bySlot(chunk.sessionSlot(row));
    return wanted == null ? !isHeldByAnother(session) : session == wanted;
  }

  private Decision done() {
    Draft draft = new Draft();
    if (!numbers.isEmpty()) {
      draft.add(new EntityFact.Deleted(queue.id(), numbers.toArray()));
    }
    return draft
        .add(
            new Effect.MessagesDeleted(
                delete.origin(), stamp.index(), delete.ticket(), numbers.size()))
        .done();
  }
}
