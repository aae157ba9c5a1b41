package io.peeklock.conformance.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Command;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code deploy/systemd/peeklock.service}, and the configuration beside it. */
class SystemdTest {
  private static final String INSTALLED = "/opt/peeklock";
  private static final String CONFIG = "/etc/peeklock/peeklock.yaml";

  /** Of 100, as {@code systemd-analyze} counts: a unit without hardening has 96. */
  private static final String EXPOSURE = "15";

  private @TempDir Path folder;

  private static String unit() throws IOException {
    return Shipped.text("systemd/peeklock.service");
  }

  private static List<String> values(String key) throws IOException {
    return unit()
        .lines()
        .filter(line -> line.startsWith(key + "="))
        .map(line -> line.substring(key.length() + 1))
        .toList();
  }

  private static Map<String, String> environment() throws IOException {
    return values("Environment").stream()
        .map(variable -> variable.split("=", 2))
        .collect(Collectors.toMap(each -> each[0], each -> each[1], (a, b) -> b, TreeMap::new));
  }

  @Test
  void theBrokerStartsWithItsWordsVariablesAndFile() throws IOException {
    var words = List.of(values("ExecStart").getFirst().split(" "));
    assertThat(words).startsWith(INSTALLED + "/peeklock", "serve").contains(CONFIG);
    var file = Shipped.file("systemd/peeklock.yaml").toString();
    var options = words.stream().skip(2).map(word -> word.replace(CONFIG, file)).toList();
    var environment = environment();
    var data = environment.remove("PEEKLOCK_DATA");
    assertThat(data).isEqualTo("/var/lib/" + values("StateDirectory").getFirst());
    environment.put("PEEKLOCK_PORT", "0");

    try (var broker = BrokerProcess.startWith(environment, Folders.fresh("unit"), options)) {
      var port = Integer.toString(broker.port());
      Patience.until("healthy", () -> Program.run("health", "--port", port).exitCode() == 0);
      assertThat(broker.stop()).isZero();
    }
  }

  @Test
  void theLauncherIsToldAsMuchMemoryAsTheServiceMayTake() throws IOException {
    var gibibytes = Integer.parseInt(values("MemoryMax").getFirst().replaceAll("G$", ""));

    assertThat(environment()).containsEntry("PEEKLOCK_MEMORY", Integer.toString(gibibytes * 1024));
  }

  @Test
  void systemdKnowsEveryKeyAndFindsItHardened() throws IOException {
    Shipped.need("systemd-analyze");
    var program = Folders.module().resolveSibling("peeklock").toString();
    var text = unit().replace(INSTALLED + "/peeklock ", program + " ");
    var copy = Files.writeString(folder.resolve("peeklock.service"), text).toString();

    var verified = Command.run(List.of("systemd-analyze", "verify", copy));
    assertThat(verified.said()).isEmpty();
    assertThat(verified.exitCode()).isZero();
    var threshold = "--threshold=" + EXPOSURE;
    var hardened =
        Command.run(List.of("systemd-analyze", "security", "--offline=yes", threshold, copy));
    assertThat(hardened.exitCode()).as(hardened.said()).isZero();
  }
}
