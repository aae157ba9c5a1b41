package io.peeklock.amqp.engine.limits;

/**
 * What a connection may have: less before its client has logged in. An attach that exceeds it
 * closes the connection with resource-limit-exceeded, before it is decoded.
 *
 * @param sessions the most sessions at a time; one more is ended with resource-limit-exceeded
 * @param links the most links at a time over all sessions, including refused ones that are not
 *     detached yet
 * @param linkBytes the most bytes of heap that its links may weigh, see {@link #weightOf}
 * @param budget the shared budget of the heap of all links
 * @param input the shared budget of partial frames; when it is used up, a connection that keeps
 *     more than {@link #SMALL_INPUT_BYTES} is closed with resource-limit-exceeded
 * @param halfFrame observes the partial frame of this connection
 */
public record Allowance(
    int sessions,
    int links,
    long linkBytes,
    Budget budget,
    Budget input,
    HalfFrameListener halfFrame) {
  /**
   * This much of a partial frame is always kept and counted, even without room, so that small
   * frames are not affected by connections that keep much.
   */
  public static final int SMALL_INPUT_BYTES = 1_024;

  private static final int LINK_BYTES = 2_048;
  private static final int DECODED_TIMES = 16;

  /** No limits except those of the configuration. */
  public static final Allowance UNLIMITED =
      new Allowance(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Long.MAX_VALUE,
          new Budget(Long.MAX_VALUE),
          new Budget(Long.MAX_VALUE));

  /** An allowance without an observer of partial frames. */
  public Allowance(int sessions, int links, long linkBytes, Budget budget, Budget input) {
    this(sessions, links, linkBytes, budget, input, HalfFrameListener.NONE);
  }

  /** The heap that a link takes: its objects, and its attach, decoded (16 times, as measured). */
  public static long weightOf(int attachBytes) {
    return LINK_BYTES + (long) DECODED_TIMES * attachBytes;
  }
}
