package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who has a port. */
class PortHolderTest {
  private static final String HEAD = "  sl  local_address rem_address st\n";

  private @TempDir Path proc;

  @Test
  void theProcessWithTheListeningSocketIsNamed() throws Exception {
    table("tcp", "   0: 0100007F:1628 00000000:0000 0A 0:0 0:0 0 0 0 777 1\n");
    process("41", "other", "socket:[778]");
    process("42", "java", "socket:[777]");

    assertThat(new PortHolder(proc).of(5672)).isEqualTo(" by pid 42 (java)");
  }

  @Test
  void aConnectionToThePortIsNoHolder() throws Exception {
    table("tcp", "   0: 0100007F:1628 0100007F:9999 01 0:0 0:0 0 0 0 777 1\n");
    process("42", "java", "socket:[777]");

    assertThat(new PortHolder(proc).of(5672)).isEmpty();
  }

  @Test
  void whereNothingCanBeFoundNothingIsSaid() {
    assertThat(new PortHolder(proc.resolve("nowhere")).of(5672)).isEmpty();
  }

  @Test
  void itFindsThisVeryProcessWhereThereIsProc() throws Exception {
    var real = Path.of("/proc");
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var expected = " by pid " + ProcessHandle.current().pid() + " (";

      var holder = new PortHolder(real).of(socket.getLocalPort());

      assertThat(holder).startsWith(Files.exists(real.resolve("net/tcp")) ? expected : "");
    }
  }

  private void table(String name, String line) throws Exception {
    Files.createDirectories(proc.resolve("net"));
    Files.writeString(proc.resolve("net").resolve(name), HEAD + line);
  }

  private void process(String pid, String name, String file) throws Exception {
    var folder = Files.createDirectories(proc.resolve(pid).resolve("fd"));
    Files.writeString(proc.resolve(pid).resolve("comm"), name + "\n");
    Files.createSymbolicLink(folder.resolve("3"), Path.of(file));
  }
}
