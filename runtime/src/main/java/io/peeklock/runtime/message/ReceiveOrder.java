package io.peeklock.runtime.message;

import io.peeklock.kernel.request.ReceiveMode;

/**
 * A request for one message.
 *
 * @param address the path of a queue or subscription, followed by a sub-queue if that is meant
 * @param waitMillis how long to wait for a message; 0 for not at all
 */
public record ReceiveOrder(String address, ReceiveMode mode, long waitMillis) {

  /**
   * Creates an order.
   *
   * @throws IllegalArgumentException when the wait is negative
   */
  public ReceiveOrder {
    if (waitMillis < 0) {
      throw new IllegalArgumentException("one waits for 0 milliseconds or more");
    }
  }
}
