package io.peeklock.runtime.message;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * An incoming message whose body arrives piece by piece and is never whole in memory. All calls are
 * made on the event loop that began it.
 */
public interface BodyIntake {

  /** Takes the bytes from position to limit; they are copied, or dropped, before it returns. */
  void write(ByteBuffer bytes);

  /** Whether the caller may write more now; otherwise it must wait, which bounds the memory. */
  boolean hasRoom();

  /**
   * Sets who is called, on the event loop, when there is room again.
   *
   * @param listener replaces the one before
   */
  void whenRoom(Runnable listener);

  /** Ends the body: it is synced, and then the message is sent like any other. */
  void finish();

  /** Drops the message. Does nothing after {@link #finish}. */
  void abort();

  /**
   * The outcome, with the number of messages sent. Completes before {@link #finish} if the message
   * is refused earlier; cancelled by {@link #abort}.
   */
  CompletableFuture<Answer<Integer>> answer();
}
