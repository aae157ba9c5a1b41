package io.peeklock.kernel.machine;

import io.peeklock.kernel.grant.Grant.Due;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.LocksInOrder;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Receiver.Lot;
import java.util.Arrays;

/** Everything volatile in a machine, as text: to see that deciding changes nothing. */
final class MachineDump {

  private MachineDump() {}

  static String of(Machine machine) {
    MachineState state = machine.state();
    StringBuilder text = new StringBuilder();
    for (Due due : Due.values()) {
      text.append(state.bounds.of(due).first()).append(' ');
      text.append(Arrays.toString(state.bounds.of(due).due(Long.MAX_VALUE - 1, 8))).append(' ');
    }
    text.append(state.bounds.idles().first()).append(' ');
    text.append(state.deadBodies.size()).append(' ').append(state.locks.room()).append(' ');
    text.append(state.locks.reserve().ids(1)[0]).append(' ').append(machine.wantsDispatch());
    for (QueueState queue : state.created()) {
      add(text, state, queue);
      add(text, state, queue.deadLetters());
    }
    return text.toString();
  }

  private static void add(StringBuilder text, MachineState state, QueueState queue) {
    text.append("\nqueue ").append(queue.id().number());
    text.append(' ').append(queue.lastUse().atMillis());
    text.append(' ').append(queue.messages().firstAvailable());
    text.append(' ').append(queue.messages().available());
    text.append(' ').append(queue.messages().readyIndex().expiryBound());
    text.append(' ').append(queue.locks().count()).append(' ').append(queue.locks().enlisted());
    LockTable locks = state.locks;
    LocksInOrder walk = new LocksInOrder(locks, queue.locks());
    for (int slot = walk.next(); slot != LockTable.NONE; slot = walk.next()) {
      text.append("\nlock ").append(locks.id(slot)).append(' ').append(locks.number(slot));
      text.append(' ').append(locks.deadline(slot));
    }
    for (Lot lot = queue.demand().first(); lot != null; lot = lot.after) {
      Receiver receiver = lot.receiver;
      text.append("\nlot ").append(lot.count).append(' ').append(receiver.deliveryLimit);
      text.append(' ').append(receiver.deliveries).append(' ').append(receiver.unsentBytes);
    }
    for (Receiver receiver : queue.demand().draining()) {
      text.append("\ndrain ").append(receiver.deliveryLimit);
    }
  }
}
