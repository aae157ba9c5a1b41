package io.peeklock.transport;

/**
 * How many connections there may be at a time (reliability.md 5.6). Unauthenticated connections
 * have places of their own: they take none from the others, and the others none from them, so that
 * whoever comes is heard, a probe above all.
 *
 * @param total in all, of those that have logged in
 * @param perAddress of these from one address, this machine's own not counted
 * @param unauthenticated in all, of those that have not
 * @param sniffMillis how long a peer may take for its first bytes
 */
public record ConnectionLimits(int total, int perAddress, int unauthenticated, long sniffMillis) {

  /** 5,000 in all, 1,000 from one address, 500 unauthenticated, 10 seconds. */
  public static final ConnectionLimits DEFAULT = new ConnectionLimits(5_000, 1_000, 500, 10_000);

  /** Refuses limits below 1. */
  public ConnectionLimits {
    if (total < 1 || perAddress < 1 || unauthenticated < 1 || sniffMillis < 1) {
      throw new IllegalArgumentException("connection limits must be at least 1");
    }
  }
}
