package io.peeklock.runtime;

import io.peeklock.runtime.intake.PieceOwner;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A body above {@link BodyArena#LARGE_BODY_BYTES}: in its own file, written as it arrives and read
 * piece by piece, never whole in memory.
 */
public interface LargeBody {

  /** Its size in bytes. */
  long length();

  /**
   * Reads a piece without blocking the caller.
   *
   * @param position from 0
   * @param bytes how many, at most 262,144; fewer come only at the end
   * @param whenRead called on {@code reader}, such as an {@code Endpoint}; the buffer is valid
   *     during the call
   */
  void read(long position, int bytes, Executor reader, PieceListener whenRead);

  /** Gives back the pin that keeps the file; a second call does nothing. */
  void release();

  /** Receives one piece. */
  interface PieceListener {
    /** The bytes, from position to limit. */
    void piece(ByteBuffer bytes);

    /**
     * The bytes could not be read, or failed their checksum; with a {@link ReadFault} they may be
     * intact.
     */
    void failed(Throwable cause);
  }

  /** Writes a body as it arrives. All calls come from one thread. */
  interface Writer {
    /** Takes the bytes from position to limit; they are copied before the call returns. */
    void write(ByteBuffer bytes);

    /**
     * Overwrites earlier bytes, such as a length that is known only now. They must be among the
     * first 262,144.
     */
    void amend(int position, ByteBuffer bytes);

    /**
     * Whether there was no room for the body: further bytes are dropped, and {@link #finish}
     * reports null.
     */
    boolean isRefused();

    /**
     * The bytes taken that are not on their way to disk yet; above 1 MiB the caller stops reading.
     */
    long backlogBytes();

    /**
     * Sets who is called, on the endpoint's executor, when the backlog has fallen low after it was
     * high.
     *
     * @param listener replaces the one before
     */
    void whenRoom(Executor endpoint, Runnable listener);

    /**
     * Sets who is called when the body comes too slowly while others need its room; it is refused
     * before the call. Never called when the room is not shared.
     *
     * @param owner its loop is the thread of all calls
     */
    default void givesWay(PieceOwner owner) {}

    /**
     * Ends the body: syncs it, then calls {@code done} on the endpoint's executor.
     *
     * @param done the staged body, or null when there was no room for it
     */
    void finish(Executor endpoint, Consumer<@Nullable Staged> done);

    /** Drops the body. */
    void abort();
  }

  /** A complete large body, synced, not yet part of the log. */
  interface Staged {
    /** Its size in bytes. */
    long length();

    /** Drops it. */
    void release();
  }
}
