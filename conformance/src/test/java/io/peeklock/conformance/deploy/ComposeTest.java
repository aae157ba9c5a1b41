package io.peeklock.conformance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import com.fasterxml.jackson.databind.JsonNode;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.Program;
import io.peeklock.conformance.Sdk;
import io.peeklock.proof.NotRun;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** {@code deploy/compose.yaml}, in place of the vendor's emulator. */
class ComposeTest {
  private static final String LAUNCHER = "/opt/peeklock/peeklock";
  private static final String MOUNTED = ":/ServiceBus_Emulator/ConfigFiles/Config.json:ro";

  private static JsonNode service() throws IOException {
    return Shipped.yaml(Shipped.text("compose.yaml")).at("/services/servicebus");
  }

  private static List<String> words(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }

  @Test
  void itsVariablesFileAndHealthCheckAreThoseOfABrokerThatRuns() throws IOException {
    var service = service();
    var environment = new TreeMap<String, String>();
    service.path("environment").properties().forEach(it -> put(environment, it));
    var mounted =
        words(service.path("volumes")).stream().filter(it -> it.endsWith(MOUNTED)).findFirst();
    environment.put("PEEKLOCK_CONFIG", Shipped.file(mounted.orElseThrow().split(":", 2)[0]) + "");
    var check = words(service.at("/healthcheck/test"));
    assertThat(check).startsWith("CMD", LAUNCHER);

    try (var broker =
        BrokerProcess.startWith(environment, Folders.fresh("compose"), List.of("--port", "0"))) {
      var arguments = new ArrayList<>(check.subList(2, check.size()));
      arguments.addAll(List.of("--port", Integer.toString(broker.port())));
      var words = arguments.toArray(String[]::new);
      Patience.until("healthy", () -> Program.run(words).exitCode() == 0);
      try (var sender =
          Sdk.connection(broker.connectionString()).sender().queueName("orders").buildClient()) {
        sender.sendMessage(new ServiceBusMessage("taken"));
      }
      assertThat(broker.output().text()).contains("Successfully Up");
    }
  }

  private static void put(Map<String, String> environment, Map.Entry<String, JsonNode> variable) {
    environment.put(variable.getKey(), variable.getValue().asText());
  }

  @Test
  void whatItBuildsFromIsThereAndNothingButThisMachineMayCome() throws IOException {
    var service = service();
    var context =
        Shipped.file("compose.yaml").resolveSibling(service.at("/build/context").asText());

    assertThat(context.resolve(service.at("/build/dockerfile").asText())).isRegularFile();
    assertThat(Files.readString(context.resolve("Containerfile"))).contains("VOLUME /data");
    assertThat(words(service.path("volumes"))).contains("messages:/data");
    assertThat(words(service.path("ports")))
        .isNotEmpty()
        .allMatch(port -> port.startsWith("127.0.0.1:"));
    assertThat(service.path("read_only").asBoolean()).isTrue();
  }

  @Test
  void composeTakesIt() {
    Shipped.need("docker");
    if (Command.run(List.of("docker", "compose", "version")).exitCode() != 0) {
      throw NotRun.because("no docker compose on this machine");
    }

    var file = Shipped.file("compose.yaml").toString();
    var said = Command.run(List.of("docker", "compose", "--file", file, "config", "--quiet"));

    assertThat(said.exitCode()).as(said.said()).isZero();
  }
}
