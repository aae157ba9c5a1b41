package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.message.StoredMessages;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardListener;
import io.peeklock.server.config.ServeOptions;
import io.peeklock.testkit.SimClock;
import io.peeklock.transport.EventLoopShardExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker whose folder was served while the machine's clock was far ahead. */
@Timeout(120)
class WrongClockTest {
  @TempDir Path folder;

  /** The log of a broker that was started and stopped a century from now. */
  private void servedInAnotherCentury() throws Exception {
    var clock = new SimClock();
    clock.stepWall(Duration.ofDays(36_500));
    try (var shardExecutor = EventLoopShardExecutor.ownThread("earlier")) {
      var journal = FileJournal.open(JournalSettings.in(folder), shardExecutor::execute);
      var shard =
          new Shard(journal, shardExecutor, clock, new StoredMessages(), new Nobody(), 8L << 20);
      shardExecutor.execute(() -> start(shard));
      shard.prove().get();
      shardExecutor.execute(journal::close);
    }
  }

  private static void start(Shard shard) {
    try {
      shard.start();
    } catch (IOException cannot) {
      throw new IllegalStateException(cannot);
    }
  }

  /** Hears nothing. */
  private static final class Nobody implements ShardListener {
    @Override
    public void leadershipLost() {}

    @Override
    public void idleDeleted(String path) {}

    @Override
    public void ended(Throwable cause) {}
  }

  private static String asked(int port, String path) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      var request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void itServesAndSaysThatItsTimeIsAhead() throws Exception {
    servedInAnotherCentury();

    try (var server =
        PeeklockServer.start(ServeOptions.read(List.of("--data=" + folder, "--port=0")))) {
      assertThat(asked(server.port(), "/health/ready"))
          .startsWith("HTTP/1.1 200 ")
          .contains("\"status\":\"healthy\",\"warning\":\"broker time is ")
          .contains(" s ahead of the machine's clock");
      assertThat(asked(server.port(), "/metrics"))
          .containsPattern("peeklock_clock_ahead_seconds [1-9]");
    }
  }

  @Test
  void aRightClockIsNothingToTell() throws Exception {
    try (var server =
        PeeklockServer.start(ServeOptions.read(List.of("--data=" + folder, "--port=0")))) {
      assertThat(asked(server.port(), "/health/ready")).endsWith("{\"status\":\"healthy\"}");
    }
  }
}
