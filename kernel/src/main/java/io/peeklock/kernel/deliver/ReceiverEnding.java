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
 * Closes receivers, and acceptors that wait for a session, on the broker's own account. One
 * decision closes up to {@link #SLICE}; later decisions close the others, which get nothing until
 * then. If the queue allows receiving again before their turn, they stay.
 */
public final class ReceiverEnding {

  /** The most receivers that one decision closes. */
  public static final int SLICE = 512;

  private final MachineState state;
  private final Stamp stamp;
  private final Refusal reason;
  private final DecisionBuilder draft;
  private final List<Origin> later = new ArrayList<>();
  private int ended;
  private int freed;

  /**
   * Adds to a decision.
   *
   * @param reason what the receivers are told
   */
  public ReceiverEnding(MachineState state, Stamp stamp, Refusal reason, DecisionBuilder draft) {
    this.state = state;
    this.stamp = stamp;
    this.reason = reason;
    this.draft = draft;
  }

  /**
   * Closes all receivers and waiting acceptors of a queue.
   *
   * @param goesOn whether their sessions and the messages under them become free (S-248), because
   *     the queue stays
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

  /** To be called last: leaves the receivers beyond {@link #SLICE} to later decisions. */
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

  /** Closes some more of those that an earlier decision left over. */
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

  /** Whether the queue allows receiving again, so that its receivers stay. */
  private static boolean letsReceive(QueueState queue) {
    return !queue.isDeleted() && DemandHandler.refusal(queue) == null;
  }

  private void endAcceptor(QueueState queue, Origin origin) {
    if (queue.sessions() != null) {
      end(queue, queue.sessions().acceptors().of(origin));
    }
  }
}
