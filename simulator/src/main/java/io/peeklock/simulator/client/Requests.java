package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What clients ask about messages and sessions, as the kernel has it. */
final class Requests {
  static final Answer NOT_FOUND = new Answer.Refused("EntityNotFound");
  static final Answer NO_ROOM = new Answer.Refused("StoreFull");

  private final ClientState state;

  Requests(ClientState state) {
    this.state = state;
  }

  static ReceiveMode mode(Operation.Mode mode) {
    return ReceiveMode.valueOf(mode.name());
  }

  static long[] numbers(List<Long> list) {
    return list.stream().mapToLong(Long::longValue).toArray();
  }

  long[] locks(List<Long> names) {
    return names.stream().mapToLong(state.locks::kernels).toArray();
  }

  /** Changed properties and the reason of a dead letter, as bytes; null for none. */
  byte @Nullable [] overlay(Operation.Settle settle) {
    if (settle.lockIds().size() != 1 || (settle.changed().isEmpty() && settle.reason() == null)) {
      return null;
    }
    var changes = new TreeMap<String, @Nullable Object>(settle.changed());
    if (settle.reason() != null) {
      changes.put(SimMessageFormat.REASON, settle.reason());
    }
    return PropertyText.bytes(changes);
  }

  /** A settlement; null when there is no such entity. */
  Request.@Nullable Settle settle(
      Operation.Settle settle, @Nullable Ticket ticket, byte @Nullable [] overlay) {
    var queue = state.directory.queue(settle.path());
    if (queue == null) {
      return null;
    }
    var locks = locks(settle.lockIds());
    return new Request.Settle(
        state.management(),
        ticket,
        queue,
        Settlement.valueOf(settle.settlement().name()),
        locks,
        locks.length,
        false,
        overlay == null ? null : new Overlay(overlay.length, 0),
        state.holder(settle.receiver()));
  }

  static byte @Nullable [] stateBytes(Operation.SetState set) {
    var state = set.state();
    return state == null ? null : state.getBytes(StandardCharsets.UTF_8);
  }

  Request.SetSessionState setState(Operation.SetState set, QueueId queue, Ticket ticket) {
    var bytes = stateBytes(set);
    return new Request.SetSessionState(
        state.management(),
        ticket,
        queue,
        set.sessionId(),
        state.holder(set.receiver()),
        bytes == null ? -1 : bytes.length);
  }
}
