package io.peeklock.kernel.turn;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.administration.DeleteQueueHandler;
import io.peeklock.kernel.administration.EmptyNamespaceHandler;
import io.peeklock.kernel.administration.IdleHandler;
import io.peeklock.kernel.decide.DecisionBuilder;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.deliver.ReceiverEnding;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.grant.Grant.Work;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.state.LeavingRules;
import io.peeklock.kernel.state.MachineState;
import org.jspecify.annotations.Nullable;

/**
 * Work without a request: timed work, and the rest of earlier requests that were too much for one
 * decision. One decision is a bounded slice of one kind, as two kinds may touch the same messages;
 * the kinds take turns.
 */
public final class TurnHandler {

  private TurnHandler() {}

  /**
   * Decides one slice of the kind whose turn it is; {@link Decision#NOTHING} when there is none.
   */
  public static Decision decide(MachineState state, Stamp stamp, @Nullable FetchedBodies bodies) {
    Work work =
        bodies != null && !bodies.isEmpty() && isAnything(state, stamp, Work.DUE)
            ? Work.DUE // its fetched bodies are kept for one decision only
            : state.turns.first(each -> isAnything(state, stamp, each));
    if (work == null) {
      return Decision.NOTHING;
    }
    if (work != Work.DUE) {
      return decide(state, stamp, work).and(new Grant.HadTurn(work));
    }
    TickContext tick = TickHandler.look(state, stamp, bodies);
    if (bodies == null && tick.isIdle()) {
      Work other = state.turns.first(each -> each != Work.DUE && isAnything(state, stamp, each));
      if (other != null) {
        return decide(state, stamp, other).and(new Grant.HadTurn(other));
      }
    }
    Decision decision = tick.build();
    return decision.needs().length > 0 ? decision : decision.and(new Grant.HadTurn(work));
  }

  private static boolean isAnything(MachineState state, Stamp stamp, Work work) {
    return switch (work) {
      case DUE -> TickHandler.nextTickMillis(state, stamp) <= 0;
      case IDLE -> IdleHandler.nextTickMillis(state, stamp) <= 0;
      case LEAVING -> !state.departing.isEmpty();
      case EMPTYING -> !state.emptyings.isEmpty();
      case DELETED -> !state.deleted().isEmpty();
      case RULES -> !state.entities.leavingRules().isEmpty();
    };
  }

  private static Decision decide(MachineState state, Stamp stamp, Work work) {
    return switch (work) {
      case DUE -> TickHandler.look(state, stamp, null).build();
      case IDLE -> IdleHandler.decide(state, stamp);
      case LEAVING -> ReceiverEnding.next(state, stamp);
      case EMPTYING -> EmptyNamespaceHandler.next(state, stamp);
      case DELETED -> DeleteQueueHandler.empty(state, stamp);
      case RULES -> new DecisionBuilder().add(new Grant.RulesLetGo(LeavingRules.SLICE)).build();
    };
  }

  /** Whether work of earlier requests is left. */
  public static boolean isAnythingLeft(MachineState state) {
    return !state.departing.isEmpty()
        || !state.emptyings.isEmpty()
        || !state.deleted().isEmpty()
        || !state.entities.leavingRules().isEmpty();
  }
}
