package io.peeklock.kernel.machine;

import io.peeklock.kernel.grant.Grant.Due;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.LocksInOrder;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Receiver.Lot;
import java.util.Objects;

/**
 * A hash of everything volatile in a machine, to see that deciding changes nothing. It is taken
 * twice for each decision of each test, so it makes no text of it.
 */
final class VolatileHash {
  private static final long FACTOR = 0x9e3779b97f4a7c15L;

  private long hash = 1;

  private VolatileHash() {}

  static long of(Machine machine) {
    VolatileHash all = new VolatileHash();
    MachineState state = machine.state();
    for (Due due : Due.values()) {
      all.add(state.bounds.of(due).first());
      for (int queue : state.bounds.of(due).due(Long.MAX_VALUE - 1, 8)) {
        all.add(queue);
      }
    }
    all.add(state.bounds.idles().first());
    all.add(state.deadBodies.size());
    all.add(state.locks.room());
    all.add(state.locks.reserve().ids(1)[0]);
    all.add(machine.wantsDispatch() ? 1 : 0);
    for (QueueState queue : state.created()) {
      all.add(state, queue);
      all.add(state, queue.deadLetters());
    }
    return all.hash;
  }

  private void add(long value) {
    hash = Long.rotateLeft((hash ^ value) * FACTOR, 29);
  }

  private void add(MachineState state, QueueState queue) {
    add(queue.id().number());
    add(queue.lastUse().atMillis());
    add(queue.lastUse().accessedMillis());
    add(queue.messages().firstAvailable());
    add(queue.messages().available());
    add(queue.messages().readyIndex().expiryBound());
    add(queue.locks().count());
    add(queue.locks().enlisted());
    add(Objects.hashCode(queue.delay));
    LockTable locks = state.locks;
    LocksInOrder walk = new LocksInOrder(locks, queue.locks());
    for (int slot = walk.next(); slot != LockTable.NONE; slot = walk.next()) {
      add(locks.id(slot));
      add(locks.number(slot));
      add(locks.deadline(slot));
    }
    for (Lot lot = queue.demand().first(); lot != null; lot = lot.after) {
      Receiver receiver = lot.receiver;
      add(lot.count);
      add(receiver.deliveryLimit);
      add(receiver.deliveries);
      add(receiver.unsentBytes);
    }
    for (Receiver receiver : queue.demand().draining()) {
      add(receiver.deliveryLimit);
    }
  }
}
