package io.peeklock.runtime.message;

import io.peeklock.runtime.thread.AnyThread;

/** The rest of a large body, which is read piece by piece. */
public interface BodyRest {

  /** The most bytes of a piece, at least 1: so much waits for a socket at a time. */
  default int mostBytes() {
    return 256 << 10;
  }

  /** Reads the next piece. Only one read may be open at a time. */
  @AnyThread
  void next(Listener listener);

  /**
   * Stops reading. A locked message is given back as undelivered. Does nothing after the last
   * piece.
   */
  @AnyThread
  void close();

  /** Receives one piece, on a thread of the broker. */
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
