package io.peeklock.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The terminal from which the broker was started, or none. When its window is closed, it hangs up
 * with the same signal that others send to have the configuration read again.
 */
final class Terminal {
  private final Path device;
  private final boolean was;

  /**
   * Looks.
   *
   * @param device can be opened as long as there is a terminal
   */
  Terminal(Path device) {
    this.device = device;
    this.was = isThere();
  }

  static Terminal ofThisProcess() {
    return new Terminal(Path.of("/dev/tty"));
  }

  /** Whether there was one, and it is there no more. */
  boolean isGone() {
    return was && !isThere();
  }

  private boolean isThere() {
    try (var opened = Files.newByteChannel(device)) {
      return opened.isOpen();
    } catch (IOException none) {
      return false;
    }
  }
}
