package io.peeklock.kernel.queue;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.Grant;
import io.peeklock.kernel.Stamp;

/**
 * What is left to do of earlier requests that were too much for one decision, one bounded slice
 * after the other whenever there is nothing that time wants done.
 */
final class RestHandler {

  private RestHandler() {}

  static boolean isAnything(MachineState state) {
    return !state.leavers.isEmpty() || state.emptyings.peek() != null || !state.deleted().isEmpty();
  }

  static Decision decide(MachineState state, Stamp stamp) {
    Leavers.Crowd crowd = state.leavers.first(ReceiverEnding.SLICE);
    if (crowd != null) {
      return ReceiverEnding.next(state, stamp, crowd);
    }
    Grant.EmptyingBegins emptying = state.emptyings.peek();
    return emptying == null
        ? DeleteQueueHandler.empty(state, stamp)
        : EmptyNamespaceHandler.next(state, stamp, emptying);
  }
}
