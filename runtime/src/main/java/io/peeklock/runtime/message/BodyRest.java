package io.peeklock.runtime.message;

/** The rest of a large body, which is read piece by piece and never whole in memory. */
public interface BodyRest {

  /** Reads on. One piece at a time is asked for; from any thread. */
  void next(Listener listener);

  /**
   * Reads no further. A message that is locked is given back, as one that did not reach its
   * receiver. After the last piece it does nothing; from any thread.
   */
  void close();

  /** Told about one piece, on a thread of the broker's. */
  interface Listener {
    /**
     * The next bytes.
     *
     * @param bytes given away; at most 256 KiB
     * @param last whether nothing follows
     */
    void piece(byte[] bytes, boolean last);

    /** The stored bytes cannot be read; nothing follows. */
    void failed(String reason);
  }
}
