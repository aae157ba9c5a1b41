package io.peeklock.conformance.disk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.PlainHttp;
import io.peeklock.conformance.Sdk;
import io.peeklock.proof.LongProof;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The real program in a folder in which no checkpoint can be made. It is served all the same, and
 * probes are told. In real time, since the pauses are the broker's own.
 */
@Timeout(400)
@LongProof
class FailingCheckpointsTest {
  private static final Pattern FAILED = Pattern.compile("A checkpoint could not be written");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** More batches than are made here: a probe makes one. */
  private static final int BATCHES = 2_000;

  private final Path data = Folders.fresh("obstacles");

  /** A folder that is not empty has the name of each next checkpoint. */
  private Path obstacle(int batch) {
    return data.resolve(String.format(Locale.ROOT, "%019d.checkpoint.new", batch));
  }

  private void obstruct() throws IOException {
    for (var batch = 1; batch <= BATCHES; batch++) {
      Files.createDirectory(obstacle(batch));
      Files.createFile(obstacle(batch).resolve("in-the-way"));
    }
  }

  private void clear() throws IOException {
    for (var batch = 1; batch <= BATCHES; batch++) {
      Files.delete(obstacle(batch).resolve("in-the-way"));
      Files.delete(obstacle(batch));
    }
  }

  private static void send(BrokerProcess broker) {
    try (var sender =
        Sdk.connection(broker.connectionString()).sender().queueName("orders").buildClient()) {
      for (var i = 0; i < 2; i++) {
        sender.sendMessage(new ServiceBusMessage(BinaryData.fromBytes(new byte[900_000])));
      }
    }
  }

  private static String asked(BrokerProcess broker, String path) {
    try {
      return PlainHttp.ask(broker.port(), "GET", path, "", "");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void awaitReady(BrokerProcess broker, String status, String said) {
    Patience.until(
        said,
        () -> {
          var answer = asked(broker, "/health/ready");
          return answer.startsWith("HTTP/1.1 " + status + " ") && answer.contains(said);
        });
  }

  @Test
  void probesAreToldWhileNoCheckpointCanBeWrittenAndNoLonger() throws IOException {
    var options = List.of("--queue", "orders", "--checkpoint-megabytes=1");
    try (var broker = BrokerProcess.start(data, options)) {
      assertThat(asked(broker, "/health/ready")).endsWith("{\"status\":\"healthy\"}");
      obstruct();
      var mark = 0;
      send(broker);
      for (var failures = 1; failures < 4; failures++) {
        assertThat(broker.output().await(mark, FAILED, PATIENCE)).isPresent();
        mark = broker.output().mark();
        awaitReady(
            broker,
            "200",
            "\"healthy\",\"warning\":\"no checkpoint could be written, " + failures + " in a row");
      }
      assertThat(broker.output().await(mark, FAILED, PATIENCE)).isPresent();
      awaitReady(
          broker,
          "503",
          "\"unhealthy\",\"reason\":\"no checkpoint could be written, 4 in a row, so that starts");
      assertThat(asked(broker, "/health/alive")).startsWith("HTTP/1.1 200 ");
      assertThat(asked(broker, "/metrics"))
          .contains("peeklock_log_checkpoints_failed_total 4", "peeklock_ready 0.0");

      clear();

      Patience.until(
          "a checkpoint is there, and nobody asked",
          () -> {
            try (var files = Files.list(data)) {
              return files.anyMatch(file -> file.toString().endsWith(".checkpoint"));
            } catch (IOException failed) {
              throw new UncheckedIOException(failed);
            }
          });
      awaitReady(broker, "200", "{\"status\":\"healthy\"}");
      assertThat(asked(broker, "/metrics")).contains("peeklock_ready 1.0");
      assertThat(broker.stop()).isZero();
    }
  }
}
