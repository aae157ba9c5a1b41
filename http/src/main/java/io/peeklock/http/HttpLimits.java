package io.peeklock.http;

import io.netty.util.internal.PlatformDependent;

/**
 * How much a peer may send, and how slowly (reliability.md 5.6). Bodies have a limit by route.
 *
 * @param lineBytes the request line
 * @param headerBytes all headers together
 * @param headerCount how many
 * @param headMillis from the first byte of a request to the end of its headers
 * @param idleMillis between two requests of a connection, and for which a body may stand still
 * @param bodyBytesPerSecond the least speed of a body, after a start of {@code headMillis}
 * @param answerMillis until the peer must have taken an answer
 * @param stagedBytes request bodies of all who are authenticated, held in memory
 * @param unauthenticatedBytes request bodies of all others, held in memory
 * @param answerBytes answers to all that the system has not taken for their sockets
 */
public record HttpLimits(
    int lineBytes,
    int headerBytes,
    int headerCount,
    long headMillis,
    long idleMillis,
    long bodyBytesPerSecond,
    long answerMillis,
    long stagedBytes,
    long unauthenticatedBytes,
    long answerBytes) {

  /** Those of this process, by the direct memory of its network. */
  public static final HttpLimits DEFAULT = of(PlatformDependent.maxDirectMemory());

  /**
   * 8 KiB, 64 KiB, 100 headers; 10 seconds, a minute, 1 KiB/s, a minute; of the network's memory
   * seven thirty-second parts, one and one, at most 128, 16 and 16 MiB.
   */
  public static HttpLimits of(long networkBytes) {
    return new HttpLimits(
        8 << 10,
        64 << 10,
        100,
        10_000,
        60_000,
        1_024,
        60_000,
        Math.min(128L << 20, networkBytes / 32 * 7),
        Math.min(16L << 20, networkBytes / 32),
        Math.min(16L << 20, networkBytes / 32));
  }

  /** The same with other bounds of the bodies in memory, those of answers last. */
  public HttpLimits withBodyBytes(long staged, long ofUnauthenticated, long ofAnswers) {
    return new HttpLimits(
        lineBytes,
        headerBytes,
        headerCount,
        headMillis,
        idleMillis,
        bodyBytesPerSecond,
        answerMillis,
        staged,
        ofUnauthenticated,
        ofAnswers);
  }

  /** Refuses limits below 1. */
  public HttpLimits {
    if (lineBytes < 1
        || headerBytes < 1
        || headerCount < 1
        || stagedBytes < 1
        || unauthenticatedBytes < 1
        || answerBytes < 1) {
      throw new IllegalArgumentException("limits of HTTP must be at least 1");
    }
    if (headMillis < 1 || idleMillis < 1 || bodyBytesPerSecond < 1 || answerMillis < 1) {
      throw new IllegalArgumentException("deadlines of HTTP must be at least 1");
    }
  }
}
