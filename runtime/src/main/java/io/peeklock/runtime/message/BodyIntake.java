package io.peeklock.runtime.message;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * A message on its way in whose body comes piece by piece and is never whole in memory. All calls
 * come on the event loop on which it was begun.
 */
public interface BodyIntake {

  /** Takes the bytes from position to limit; they are copied, or dropped, before it returns. */
  void write(ByteBuffer bytes);

  /** Whether more bytes should come now. When not, memory is kept bounded by waiting. */
  boolean hasRoom();

  /**
   * Told on the event loop when there is room again.
   *
   * @param listener replaces the one before
   */
  void whenRoom(Runnable listener);

  /** The body is whole: it is synced, and then the message is sent like any other. */
  void finish();

  /** Nothing more comes, and nothing of it is stored. After {@link #finish} it does nothing. */
  void abort();

  /**
   * What becomes of the message: how many were sent. Complete before {@link #finish} when it is
   * known that it cannot be taken; cancelled by {@link #abort}.
   */
  CompletableFuture<Answer<Integer>> answer();
}
