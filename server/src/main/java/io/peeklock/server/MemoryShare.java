package io.peeklock.server;

import io.netty.util.internal.PlatformDependent;

/**
 * How much of the direct memory each namespace may fill with bodies where nothing is on disk: half
 * of it in sum, so that network buffers, half-received messages and answers find room besides.
 */
final class MemoryShare {
  private static final long MOST_BYTES = 512L << 20;

  private MemoryShare() {}

  /** For one of so many namespaces of this process. */
  static long bytes(int namespaces) {
    return bytes(namespaces, PlatformDependent.maxDirectMemory());
  }

  static long bytes(int namespaces, long directBytes) {
    return Math.min(MOST_BYTES, directBytes / 2 / namespaces);
  }
}
