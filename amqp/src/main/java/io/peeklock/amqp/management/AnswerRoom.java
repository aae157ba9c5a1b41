package io.peeklock.amqp.management;

import io.peeklock.amqp.limit.Holdings;
import io.peeklock.amqp.request.Call;
import io.peeklock.kernel.request.Request;

/**
 * What the answers to the calls of one management node may take of the budget for replies, counted
 * before anything is read for them.
 */
final class AnswerRoom {
  static final String NONE =
      "The broker has no memory left for the answer. Please wait 2 seconds and try again";

  /** What an answer has of a message beside it, at most in general. */
  static final int BESIDE_BYTES = 512;

  private final Holdings holdings;
  private long reserved;

  AnswerRoom(Holdings holdings) {
    this.holdings = holdings;
  }

  /** Counts the answer to a request; false when there is no room for it. */
  boolean reserve(Request request) {
    var ticket =
        switch (request) {
          case Request.Peek peek -> peek.ticket();
          case Request.ReceiveDeferred receive -> receive.ticket();
          case Request.GetSessionState get -> get.ticket();
          default -> null;
        };
    var bytes = ticket instanceof Call call ? call.reserved() : 0;
    if (bytes > 0 && !holdings.reply(bytes)) {
      return false;
    }
    reserved += bytes;
    return true;
  }

  /** A call is answered without what was reserved for it. */
  void release(Call call) {
    holdings.replyGone(taken(call));
  }

  /**
   * A call has an answer of so many bytes, which counts from now on in place of the reservation.
   *
   * @param mustGo whether it goes although there is no room: nobody else has what is in it
   * @return false when there is no room for it: then nothing counts any more
   */
  boolean fill(Call call, long bytes, boolean mustGo) {
    return holdings.replied(taken(call), bytes, mustGo);
  }

  /** Nobody waits any more. */
  void end() {
    holdings.replyGone(reserved);
    reserved = 0;
  }

  /** All was given back if the node has ended. */
  private long taken(Call call) {
    var bytes = Math.min(call.reserved(), reserved);
    reserved -= bytes;
    return bytes;
  }
}
