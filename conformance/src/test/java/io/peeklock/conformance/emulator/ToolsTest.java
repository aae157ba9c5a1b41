package io.peeklock.conformance.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.PlainHttp;
import io.peeklock.conformance.TestQueue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Plays each tool that starts the vendor's image, with the program that ours runs: its variables,
 * its file with its mode, what it waits for, the connection string that it hands out (but for the
 * scheme of .NET), and how it stops. One port, another than in the container, stands for both.
 */
@Timeout(180)
class ToolsTest {
  private static final String KEYS =
      "SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;"
          + "UseDevelopmentEmulator=true";

  private static final String CONFIG =
      """
      { "UserConfig": { "Namespaces": [ { "Name": "sbemulatorns",
        "Queues": [ { "Name": "orders", "Properties": { "LockDuration": "PT30S" } } ],
        "Topics": [] } ], "Logging": { "Type": "File" } } }
      """;

  private static final Map<String, String> DATABASE =
      Map.of(
          "ACCEPT_EULA",
          "Y",
          "SQL_SERVER",
          "mssql-server",
          "MSSQL_SA_PASSWORD",
          "yourStrong(!)Password",
          "SQL_WAIT_INTERVAL",
          "0");

  @TempDir private Path folder;

  /**
   * A tool.
   *
   * @param mode of the file that it mounts or copies; empty for none
   * @param string what it hands out; {@code %d} is the port on the host
   * @param queue where its user sends first
   * @param asks whether it asks for the health over HTTP beside waiting for the line
   * @param kills whether it ends the container at once
   */
  record Tool(
      String name,
      Map<String, String> variables,
      String mode,
      String string,
      String queue,
      boolean asks,
      boolean kills) {

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Tool> tools() {
    var sb = "Endpoint=sb://localhost:%d;" + KEYS + ";";
    var file = "rw-r--r--";
    return List.of(
        new Tool("Testcontainers for Java", DATABASE, file, sb, "orders", false, true),
        new Tool(
            "Testcontainers for .NET",
            DATABASE,
            "",
            "Endpoint=amqp://127.0.0.1:%d/;" + KEYS,
            "queue.1",
            true,
            false),
        new Tool("Testcontainers for Node", DATABASE, file, sb, "orders", false, false),
        new Tool(
            "Testcontainers for Go",
            DATABASE,
            file,
            "Endpoint=sb://localhost:%d;" + KEYS,
            "orders",
            false,
            true),
        new Tool(
            "Testcontainers for Python",
            Map.of("ACCEPT_EULA", "Y"),
            "",
            sb,
            "queue.1",
            false,
            true),
        new Tool("Aspire", DATABASE, file, sb, "orders", true, false),
        new Tool("Spring Boot", DATABASE, "", sb, "queue.1", false, true),
        new Tool("Quarkus", DATABASE, file, sb, "orders", false, true),
        new Tool("compose", DATABASE, "r--r--r--", sb, "orders", true, false),
        new Tool(
            "a service container of CI",
            Map.of("ACCEPT_EULA", "Y", "CONFIG_JSON", CONFIG),
            "",
            sb,
            "orders",
            true,
            false));
  }

  /** What the recipe of our image sets, but for the ports and the folder. */
  private Map<String, String> environment(Tool tool) throws IOException {
    var all = new LinkedHashMap<>(tool.variables());
    all.put("PEEKLOCK_BIND", "0.0.0.0");
    all.put("PEEKLOCK_GENERATE_CERTIFICATE", "true");
    all.put("PEEKLOCK_PORT", "0");
    var file = folder.resolve("Config.json");
    all.put("CONFIG_PATH", file.toString());
    if (!tool.mode().isEmpty()) {
      Files.writeString(file, CONFIG);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(tool.mode()));
    }
    return all;
  }

  private static void roundTrip(Tool tool, int port) {
    // The official client for Java takes one scheme; that for .NET another too.
    var string = String.format(Locale.ROOT, tool.string(), port).replace("amqp://", "sb://");
    try (var sender =
            new ServiceBusClientBuilder()
                .connectionString(string)
                .sender()
                .queueName(tool.queue())
                .buildClient();
        var receiver =
            new ServiceBusClientBuilder()
                .connectionString(string)
                .receiver()
                .queueName(tool.queue())
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient()) {
      sender.sendMessage(new ServiceBusMessage("from " + tool));
      assertThat(TestQueue.next(receiver).getBody()).hasToString("from " + tool);
    }
  }

  @ParameterizedTest
  @MethodSource("tools")
  void itIsTakenForTheVendorsImage(Tool tool) throws Exception {
    try (var broker =
        BrokerProcess.startWith(environment(tool), Folders.fresh("tools"), List.of())) {
      if (tool.asks()) {
        assertThat(PlainHttp.ask(broker.port(), "GET", "/health", "", ""))
            .startsWith("HTTP/1.1 200 ")
            .contains("{\"status\":\"healthy\"}");
      }
      roundTrip(tool, broker.port());
      if (tool.kills()) {
        broker.kill();
      } else {
        assertThat(broker.stop()).isZero();
      }
    }
  }
}
