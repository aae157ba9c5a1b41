package io.peeklock.conformance.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The image, built and run as test libraries run the vendor's: their variables, their file where
 * they mount it, their line, their health check. {@code -Dimage.base=…} names the base image;
 * {@code -Dimage.engine=docker} the engine, with its own options if it needs any; {@code
 * -Dimage.flags=…} are more options of its {@code build} and {@code run}.
 */
@Isolated
class ImageTest {
  private static final String NAME = "peeklock-image-test";
  private static final String IMAGE = "localhost/azure-messaging/servicebus-emulator:test";
  private static final String CONFIG =
      """
      {
        "UserConfig": {
          "Namespaces": [{
            "Name": "any-name",
            "Queues": [{"Name": "queue.1", "Properties": {"MaxDeliveryCount": 3}}]
          }],
          "Logging": {"Type": "File"}
        }
      }
      """;

  private final List<String> engine = words("image.engine", "docker");
  private final List<String> flags = words("image.flags", "");
  private @TempDir Path folder;
  private int amqpPort;
  private int httpPort;

  private static List<String> words(String property, String usual) {
    var text = System.getProperty(property, usual).strip();
    return text.isEmpty() ? List.of() : List.of(text.split(" +"));
  }

  @BeforeEach
  void findPorts() throws IOException {
    try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      amqpPort = one.getLocalPort();
      httpPort = other.getLocalPort();
    }
  }

  @AfterEach
  void remove() {
    if (Command.exists(engine.getFirst())) {
      engine("rm", "--force", "--volumes", NAME);
    }
  }

  @Test
  void itRunsInPlaceOfTheVendorsAndKeepsWhatItAccepted() throws IOException {
    build();
    start();
    try (var sender =
        Sdk.connection(connectionString()).sender().queueName("queue.1").buildClient()) {
      sender.sendMessage(new ServiceBusMessage("kept"));
    }

    must("stop", "--time", "60", NAME);
    assertThat(must("inspect", "--format", "{{.State.ExitCode}}", NAME)).isEqualTo("0");
    must("start", NAME);
    Patience.until("it is ready again", this::healthy);

    try (var receiver =
        Sdk.connection(connectionString()).receiver().queueName("queue.1").buildClient()) {
      assertThat(TestQueue.next(receiver).getBody()).hasToString("kept");
    }
  }

  private void build() {
    var base = System.getProperty("image.base", "");
    if (base.isEmpty() || !Command.exists(engine.getFirst())) {
      throw NotRun.because("no container engine with a base image: -Dimage.engine, -Dimage.base");
    }
    var root = Folders.module().resolveSibling("").toString();
    must(
        Stream.of(
                List.of("build", "--network", "host"),
                flags,
                List.of("--build-arg", "BASE=" + base, "--tag", IMAGE, root))
            .flatMap(List::stream)
            .toArray(String[]::new));
  }

  private void start() throws IOException {
    var config = Files.writeString(folder.resolve("Config.json"), CONFIG);
    var words = new ArrayList<>(List.of("run", "--detach", "--name", NAME, "--network", "host"));
    words.addAll(flags);
    var environment =
        List.of(
            "ACCEPT_EULA=Y",
            "SQL_SERVER=mssql",
            "MSSQL_SA_PASSWORD=unused",
            "SQL_WAIT_INTERVAL=0",
            "EMULATOR_AMQP_PORT=" + amqpPort,
            "EMULATOR_HTTP_PORT=" + httpPort);
    environment.forEach(variable -> words.addAll(List.of("--env", variable)));
    var mounted = config + ":/ServiceBus_Emulator/ConfigFiles/Config.json:ro";
    words.addAll(List.of("--volume", mounted, IMAGE));
    must(words.toArray(String[]::new));
    Patience.until(
        "the line that everybody waits for",
        () -> engine("logs", NAME).said().contains("Emulator Service is Successfully Up!"));
    assertThat(healthy()).isTrue();
  }

  private String connectionString() {
    return "Endpoint=sb://localhost:"
        + amqpPort
        + ";SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;"
        + "UseDevelopmentEmulator=true;";
  }

  private boolean healthy() {
    try (var http = HttpClient.newHttpClient()) {
      var address = URI.create("http://localhost:" + httpPort + "/health");
      var answer =
          http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 && answer.body().equals("{\"status\":\"healthy\"}");
    } catch (IOException notYet) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String must(String... words) {
    var command = engine(words);
    assertThat(command.exitCode()).as(String.join(" ", words) + ": " + command.said()).isZero();
    return command.said();
  }

  private Command engine(String... words) {
    return Command.run(Stream.concat(engine.stream(), Stream.of(words)).toList());
  }
}
