package io.peeklock.kernel.state;

import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;

/** A receiver with the queue that it receives from. */
public final class QueueReceiver extends Receiver {

  public final QueueState queue;

  /** A receiver without demand. */
  public QueueReceiver(Origin origin, ReceiveMode mode, QueueState queue) {
    super(origin, mode);
    this.queue = queue;
  }
}
