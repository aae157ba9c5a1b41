package io.peeklock.amqp.limit;

import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.runtime.thread.EventLoopThread;

/**
 * What one connection has of large messages that are not the shard's yet: those that are arriving,
 * and those that wait in open transactions. It takes half of what all may have staged, so that
 * others find room, and always one message.
 */
@EventLoopThread
public final class LargeShare {
  public static final MessageProblem FULL =
      new MessageProblem(
          Conditions.RESOURCE_LIMIT_EXCEEDED,
          "The large messages of this connection that are not stored yet take too much. A retry may"
              + " help");

  private long bytes;

  /**
   * Counts some more of a message.
   *
   * @param own what is counted of that message already
   * @param mostOfAll what the large messages of all may have staged
   * @return false when that is too much: then it is not counted
   */
  public boolean take(long own, long more, long mostOfAll) {
    if (bytes > own && bytes + more > mostOfAll / 2) {
      return false;
    }
    bytes += more;
    return true;
  }

  /** Counts one that is there, in any case. */
  public void add(long more) {
    bytes += more;
  }

  /** What was counted is the shard's, or is dropped. */
  public void give(long less) {
    bytes -= less;
  }
}
