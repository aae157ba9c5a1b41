package io.peeklock.journal;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The folder of a log disappeared while it was in use, and accepted messages with it. */
public final class StoreGoneException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Reports the file that cannot be found any more. */
  public StoreGoneException(String file, @Nullable Throwable cause) {
    super(
        file
            + " cannot be found any more: its folder was removed, emptied or unmounted while it was"
            + " served",
        cause);
  }
}
