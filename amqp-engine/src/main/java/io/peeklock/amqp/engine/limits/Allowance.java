package io.peeklock.amqp.engine.limits;

/**
 * What a connection may have: less while its client is unauthenticated. An attach that passes one
 * of these closes the connection with resource-limit-exceeded, before anything of it is decoded.
 *
 * @param sessions at a time; one more is ended with resource-limit-exceeded
 * @param links at a time over all sessions, those that were refused and not detached included
 * @param linkBytes what its links may weigh, see {@link #weightOf}
 * @param budget what the links of all connections may weigh
 * @param input what frames that have come in part may take, of all connections; above it one that
 *     keeps more than {@link #SMALL_INPUT_BYTES} is closed with resource-limit-exceeded
 * @param halfFrame hears of the one of this connection
 */
public record Allowance(
    int sessions,
    int links,
    long linkBytes,
    Budget budget,
    Budget input,
    HalfFrameListener halfFrame) {
  /**
   * So much of a frame is kept, and counts, also where there is no room: whoever says little is not
   * hurt by those who hold much back.
   */
  public static final int SMALL_INPUT_BYTES = 1_024;

  private static final int LINK_BYTES = 2_048;
  private static final int DECODED_TIMES = 16;

  /** No limit but those of the configuration. */
  public static final Allowance UNLIMITED =
      new Allowance(
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Long.MAX_VALUE,
          new Budget(Long.MAX_VALUE),
          new Budget(Long.MAX_VALUE));

  /** The same where nobody minds how frames come. */
  public Allowance(int sessions, int links, long linkBytes, Budget budget, Budget input) {
    this(sessions, links, linkBytes, budget, input, HalfFrameListener.NONE);
  }

  /** The heap that a link takes: its objects, and its attach, decoded (16 times, as measured). */
  public static long weightOf(int attachBytes) {
    return LINK_BYTES + (long) DECODED_TIMES * attachBytes;
  }
}
