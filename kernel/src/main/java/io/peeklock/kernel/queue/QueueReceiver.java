package io.peeklock.kernel.queue;

import io.peeklock.kernel.Origin;
import io.peeklock.kernel.ReceiveMode;

/** A receiver with the queue that it receives from, which itself knows receivers alone. */
final class QueueReceiver extends Receiver {

  final QueueState queue;

  QueueReceiver(Origin origin, ReceiveMode mode, QueueState queue) {
    super(origin, mode);
    this.queue = queue;
  }
}
