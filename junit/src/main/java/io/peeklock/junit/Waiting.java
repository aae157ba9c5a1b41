package io.peeklock.junit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the broker, but not for ever: a test that hangs tells nothing. */
final class Waiting {
  private static final long MOST_SECONDS = 30;

  private Waiting() {}

  /**
   * The result.
   *
   * @param what is waited for, for the error's text
   * @throws IllegalStateException when it fails or takes longer than half a minute
   */
  static <T> T on(CompletableFuture<T> result, String what) {
    try {
      return result.get(MOST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      throw new IllegalStateException(what + " failed: " + failed.getCause(), failed.getCause());
    } catch (TimeoutException late) {
      throw new IllegalStateException(
          what + " took longer than " + MOST_SECONDS + " seconds", late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + what, interrupted);
    }
  }
}
