package io.peeklock.kernel.apply;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.SessionTable;

/** Applies facts about session states. */
final class SessionApplier {

  private SessionApplier() {}

  static void set(MachineState state, Fact.SessionStateSet fact) {
    QueueState queue = state.known(fact.queue());
    if (fact.bodyId() != 0) {
      state.checkConsecutive(fact.bodyId() == state.nextBodyId, "body ids go up without a gap");
      state.nextBodyId = fact.bodyId() + 1;
    }
    state.beforeStateChange(queue, fact.sessionId());
    long before =
        sessions(queue).setState(fact.sessionId(), fact.bodyId(), fact.bytes(), fact.setAtMillis());
    if (before != 0) {
      state.deadBodies.add(before);
    }
    state.entities.dropIfEmptied(queue);
  }

  static void restore(MachineState state, Fact.SessionStatesRestored fact) {
    SessionTable sessions = sessions(state.known(fact.queue()));
    for (int i = 0; i < fact.sessionIds().length; i++) {
      long lost =
          sessions.restoreState(
              fact.sessionIds()[i], fact.bodyIds()[i], fact.sizes()[i], fact.setAtMillis()[i]);
      if (lost != 0) {
        state.deadBodies.add(lost);
      }
    }
  }

  private static SessionTable sessions(QueueState queue) {
    return Invariant.present(queue.sessions(), "a state is of a session");
  }
}
