package io.peeklock.kernel.queue;

import io.peeklock.kernel.Effect;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Stamp;

/** The end of receivers that the broker itself sends away. */
final class ReceiverEnding {

  private ReceiverEnding() {}

  /** The same for a queue that goes on: what they hold of sessions is free again (S-248). */
  static void sendAway(
      MachineState state, QueueState queue, Stamp stamp, Refusal reason, Draft draft) {
    int left = SessionEnding.SLICE;
    for (Receiver receiver : queue.receivers) {
      if (receiver.session != null) {
        left -= SessionEnding.letGo(state, queue, receiver.session, stamp, false, left, draft);
      }
    }
    endAll(queue, stamp, reason, draft);
  }

  /** All who receive from a queue, or wait for a session of it, are none any more. */
  static void endAll(QueueState queue, Stamp stamp, Refusal reason, Draft draft) {
    for (Receiver receiver : queue.receivers) {
      draft.add(new Grant.ReceiverClosed(receiver.origin));
      draft.add(new Effect.ReceiverEnded(receiver.origin, stamp.index(), reason));
    }
    if (queue.sessions() != null) {
      for (SessionTable.Acceptor acceptor : queue.sessions().acceptors().all()) {
        draft.add(new Grant.AcceptorLeft(acceptor.origin(), queue.id()));
        draft.add(new Effect.Refused(acceptor.origin(), stamp.index(), acceptor.ticket(), reason));
      }
    }
  }
}
