package io.peeklock.kernel.state;

import io.peeklock.kernel.Origin;
import io.peeklock.kernel.ReceiveMode;

/** A receiver with the queue that it receives from, which itself knows receivers alone. */
public final class QueueReceiver extends Receiver {

  public final QueueState queue;

  public QueueReceiver(Origin origin, ReceiveMode mode, QueueState queue) {
    super(origin, mode);
    this.queue = queue;
  }
}
