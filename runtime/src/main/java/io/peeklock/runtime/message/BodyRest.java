package io.peeklock.runtime.message;

import io.peeklock.runtime.thread.AnyThread;

/** The rest of a body that is large: it is read piece by piece. */
public interface BodyRest {

  /** How long a piece is at most: so much of it waits for a socket at a time. From 1, in bytes. */
  default int mostBytes() {
    return 256 << 10;
  }

  /** Reads on. One piece at a time is asked for. */
  @AnyThread
  void next(Listener listener);

  /**
   * Reads no further. A message that is locked is given back, as one that did not reach its
   * receiver. After the last piece it does nothing.
   */
  @AnyThread
  void close();

  /** Told about one piece, on a thread of the broker's. */
  interface Listener {
    /**
     * The next bytes.
     *
     * @param bytes at most {@link #mostBytes}; not to be changed by either side
     * @param last whether nothing follows
     */
    void piece(byte[] bytes, boolean last);

    /** The stored bytes cannot be read; nothing follows. */
    void failed(String reason);
  }
}
