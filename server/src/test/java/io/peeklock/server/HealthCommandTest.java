package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What health checks of containers run. */
@Timeout(120)
class HealthCommandTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private int health(String... options) {
    return health(Map.of(), options);
  }

  private int health(Map<String, String> environment, String... options) {
    var out = new PrintStream(said, true, StandardCharsets.UTF_8);
    return HealthCommand.run(List.of(options), environment, out);
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }

  private static PeeklockServer start(String... options) throws Exception {
    var all = new ArrayList<>(List.of("--in-memory", "--port=0"));
    all.addAll(List.of(options));
    return PeeklockServer.start(ServeOptions.read(all, Map.of()));
  }

  @Test
  void aBrokerThatTakesMessagesIsHealthy() throws Exception {
    try (var server = start()) {
      var port = String.valueOf(server.port());

      assertThat(health("--port", port)).isZero();
      assertThat(health("--url=http://127.0.0.1:" + port + "/health/alive")).isZero();
      assertThat(health(Map.of("PEEKLOCK_PORT", port + ",0"))).isZero();

      assertThat(said()).isEqualTo("{\"status\":\"healthy\"}\n".repeat(3));
    }
  }

  @Test
  void oneThatWantsTlsIsAskedOverTls() throws Exception {
    try (var server = start("--bind=0.0.0.0", "--generate-certificate")) {
      assertThat(health("--port", String.valueOf(server.port()))).as(said()).isZero();
      assertThat(health("--url=https://localhost:" + server.port())).isZero();
    }
  }

  @Test
  void whoDoesNotAnswerOrHasNoSuchPathIsNotHealthy() throws Exception {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    assertThat(health("--port", String.valueOf(free))).isEqualTo(1);
    assertThat(said()).contains("no answer from localhost:" + free);
    try (var server = start()) {
      assertThat(health("--url=http://localhost:" + server.port() + "/$peeklock/no")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--prot=1, no option",
    "--port, needs a value",
    "--port=0, is not a port",
    "--port=x, is not a port",
    "--url=localhost, is not an address",
    "--url=ftp://localhost/, is not an address"
  })
  void aWrongOptionIsSaid(String option, String sentence) {
    assertThatThrownBy(() -> health(option))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(sentence);
  }
}
