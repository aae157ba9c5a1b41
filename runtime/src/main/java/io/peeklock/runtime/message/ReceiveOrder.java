package io.peeklock.runtime.message;

import io.peeklock.kernel.request.ReceiveMode;

/**
 * A request for one message.
 *
 * @param address the path of a queue or subscription, with a sub-queue behind it where that is
 *     meant
 * @param waitMillis how long to wait for it; 0 for what is there now
 */
public record ReceiveOrder(String address, ReceiveMode mode, long waitMillis) {

  /** Refuses to wait for less than nothing. */
  public ReceiveOrder {
    if (waitMillis < 0) {
      throw new IllegalArgumentException("one waits for 0 milliseconds or more");
    }
  }
}
