package io.peeklock.kernel.deliver;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.session.SessionEnding;
import io.peeklock.kernel.state.DepartingReceivers;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueReceiver;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.SessionTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of receivers, and of those who wait for a session, that the broker itself sends away. One
 * decision ends so many; the others go in later ones, and until then they are given nothing. Where
 * the queue may be received from again before their turn comes, they stay.
 */
public final class ReceiverEnding {

  /** The most receivers that one decision ends. */
  public static final int SLICE = 512;

  private final MachineState state;
  private final Stamp stamp;
  private final Refusal reason;
  private final DecisionBuilder draft;
  private final List<Origin> later = new ArrayList<>();
  private int ended;
  private int freed;

  public ReceiverEnding(MachineState state, Stamp stamp, Refusal reason, DecisionBuilder draft) {
    this.state = state;
    this.stamp = stamp;
    this.reason = reason;
    this.draft = draft;
  }

  /**
   * All who receive from a queue, or wait for a session of it, are none any more.
   *
   * @param goesOn whether what they hold of sessions is free again (S-248), as the queue stays
   */
  public ReceiverEnding endAll(QueueState queue, boolean goesOn) {
    for (Receiver receiver : queue.receivers) {
      if (ended < SLICE) {
        end(queue, receiver, goesOn);
      } else {
        later.add(receiver.origin);
      }
    }
    if (queue.sessions() != null) {
      for (SessionTable.Acceptor acceptor : queue.sessions().acceptors().all()) {
        if (ended < SLICE) {
          end(queue, acceptor);
        } else {
          later.add(acceptor.origin());
        }
      }
    }
    return this;
  }

  /** To be called at the end: the others follow. */
  public void done() {
    if (!later.isEmpty()) {
      draft.add(new Grant.ReceiversLeave(later, reason));
    }
  }

  private void end(QueueState queue, Receiver receiver, boolean goesOn) {
    ended++;
    if (receiver.session != null && goesOn) {
      int left = SessionEnding.SLICE - freed;
      freed += SessionEnding.letGo(state, queue, receiver.session, stamp, false, left, draft);
    }
    draft.add(new Grant.ReceiverClosed(receiver.origin));
    draft.add(new Effect.ReceiverEnded(receiver.origin, stamp.index(), reason));
  }

  private void end(QueueState queue, SessionTable.Acceptor acceptor) {
    ended++;
    draft.add(new Grant.AcceptorLeft(acceptor.origin(), queue.id()));
    draft.add(new Effect.Refused(acceptor.origin(), stamp.index(), acceptor.ticket(), reason));
  }

  /** Some more of those that an earlier decision left over. */
  public static Decision next(MachineState state, Stamp stamp) {
    DepartingReceivers.Group group = state.departing.first(SLICE);
    if (group == null) {
      return Decision.NOTHING;
    }
    DecisionBuilder draft = new DecisionBuilder();
    ReceiverEnding ending = new ReceiverEnding(state, stamp, group.reason(), draft);
    for (Origin origin : group.receivers()) {
      QueueReceiver receiver = state.receiver(origin);
      QueueState queue = receiver == null ? state.queueOfAcceptor(origin) : receiver.queue;
      if (queue == null || letsReceive(queue)) {
        continue;
      }
      if (receiver == null) {
        ending.endAcceptor(queue, origin);
      } else {
        ending.end(queue, receiver, !queue.isDeleted());
      }
    }
    return draft.add(new Grant.ReceiversLeft(group.receivers().size())).build();
  }

  /** Whether there is no reason any more, so that who is there stays, newcomers among them. */
  private static boolean letsReceive(QueueState queue) {
    return !queue.isDeleted() && DemandHandler.refusal(queue) == null;
  }

  private void endAcceptor(QueueState queue, Origin origin) {
    if (queue.sessions() != null) {
      end(queue, queue.sessions().acceptors().of(origin));
    }
  }
}
