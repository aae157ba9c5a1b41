package io.peeklock.amqp.request;

/** An answer that goes out piece by piece on a {@link ReplyLink}, and counts by itself. */
public interface LargeReply {

  /** Bytes that are counted for it until its last piece was written. */
  long reserved();

  /**
   * It is its turn: the reply link has credit for it, and is its own until this has told it {@link
   * ReplyLink#largeEnded}.
   */
  void begin(long tag);

  /** Sends and reads on as far as there is room. */
  void resume();

  /** It does not go out, or not whole. */
  void abandon();
}
