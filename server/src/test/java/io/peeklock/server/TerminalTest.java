package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the window in which the broker was started is closed. */
class TerminalTest {
  private @TempDir Path folder;

  @Test
  void aTerminalIsGoneWhenItWasThereAndCannotBeOpenedAnyMore() throws IOException {
    var device = Files.createFile(folder.resolve("tty"));
    var terminal = new Terminal(device);
    assertThat(terminal.isGone()).isFalse();

    Files.delete(device);

    assertThat(terminal.isGone()).isTrue();
    assertThat(new Terminal(device).isGone()).isFalse();
  }
}
