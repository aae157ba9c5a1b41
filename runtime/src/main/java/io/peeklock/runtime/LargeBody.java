package io.peeklock.runtime;

import io.peeklock.runtime.intake.PieceOwner;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A body above {@link BodyArena#LARGE_BODY_BYTES}: in a file of its own, written as it arrives and
 * read piece by piece, never whole in memory.
 */
public interface LargeBody {

  /** Its size in bytes. */
  long length();

  /**
   * Reads a piece without blocking the caller.
   *
   * @param position from 0
   * @param bytes how many, at most 262,144; less are given at the end only
   * @param whenRead told on the reader, such as an {@code Endpoint}; the buffer is valid during the
   *     call
   */
  void read(long position, int bytes, Executor reader, PieceListener whenRead);

  /** Gives up the pin that keeps the file from being removed; again does nothing. */
  void release();

  /** Told about one piece. */
  interface PieceListener {
    /** The bytes, from position to limit. */
    void piece(ByteBuffer bytes);

    /**
     * They could not be read, or failed their checksum; with a {@link ReadFault} they may be whole.
     */
    void failed(Throwable cause);
  }

  /** Takes a body as it arrives. Calls come from one thread. */
  interface Writer {
    /** Takes the bytes from position to limit; they are copied before the call returns. */
    void write(ByteBuffer bytes);

    /**
     * Writes over bytes that were taken before, such as a length that is known only now. They lie
     * among the first 262,144.
     */
    void amend(int position, ByteBuffer bytes);

    /** Whether there was no room for it: what comes is dropped, and {@link #finish} tells so. */
    boolean isRefused();

    /** Bytes that were taken and are not on their way to disk yet; above 1 MiB stop reading. */
    long backlogBytes();

    /**
     * Told on the endpoint's executor whenever the backlog has fallen low after it was high.
     *
     * @param listener replaces the one before
     */
    void whenRoom(Executor endpoint, Runnable listener);

    /**
     * Says who hears that the body came too slowly while others need its room. It is refused before
     * that. Where no room is shared nobody ever hears it.
     *
     * @param owner its loop is the one that calls come from
     */
    default void givesWay(PieceOwner owner) {}

    /**
     * No more bytes come: syncs, then tells on the endpoint's executor.
     *
     * @param done the staged body, or null when there was no room for it
     */
    void finish(Executor endpoint, Consumer<@Nullable Staged> done);

    /** Drops what was written. */
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
