package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Variables of the environment, between the command line and the file. */
class SettingVariablesTest {
  private @TempDir Path folder;

  private ServerSettings among(Map<String, String> variables, String... options) {
    return ServeOptions.read(List.of(options), variables, folder.resolve("not-mounted.json"));
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("peeklock.yaml"), text).toString();
  }

  @Test
  void everySettingIsAVariable() {
    for (var setting : Setting.values()) {
      var variable = "PEEKLOCK_" + setting.word().toUpperCase(java.util.Locale.ROOT);
      var configured = new SettingVariables(Map.of(variable.replace('-', '_'), " 7 ")).configured();

      assertThat(configured.of(setting)).as(variable).extracting("value").isEqualTo("7");
    }
  }

  @Test
  void optionsWinOverVariablesAndVariablesOverTheFile() throws IOException {
    var config =
        file("port: 1\nbind: 127.0.0.3\ndisk-reserve-megabytes: 1\ncheckpoint-megabytes: 1\n");
    var variables =
        Map.of(
            "PEEKLOCK_CONFIG", config,
            "PEEKLOCK_PORT", "2",
            "PEEKLOCK_BIND", " ",
            "PEEKLOCK_DISK_RESERVE_MEGABYTES", "2",
            "PEEKLOCK_ALLOW_PLAINTEXT", "true",
            "EMULATOR_HTTP_PORT", "4");

    var settings = among(variables, "--port", "3");

    assertThat(settings.listening().ports()).containsExactly(3);
    assertThat(settings.diskReserveBytes()).isEqualTo(2L << 20);
    assertThat(settings.checkpointBytes()).isEqualTo(1L << 20);
    assertThat(settings.listening().bind().getHostAddress()).isEqualTo("127.0.0.3");
    assertThat(settings.allowPlaintext()).isTrue();
    var named = Files.writeString(folder.resolve("named.yaml"), "port: 5\n").toString();
    assertThat(among(Map.of("PEEKLOCK_CONFIG", config), "--config", named).listening().ports())
        .containsExactly(5);
  }

  @Test
  void aStrongerFolderOrNoneWinsOverAWeakerOne() {
    assertThat(among(Map.of("PEEKLOCK_DATA", "here")).data()).isEqualTo(Path.of("here"));
    assertThat(among(Map.of("PEEKLOCK_DATA", "here"), "--in-memory").data()).isNull();
    assertThat(among(Map.of("PEEKLOCK_IN_MEMORY", "true"), "--data", "there").data())
        .isEqualTo(Path.of("there"));
  }

  @Test
  void anImagesFolderDoesNotHinderABrokerInMemory() {
    var both = Map.of("PEEKLOCK_DATA", "/data", "PEEKLOCK_IN_MEMORY", "true");

    assertThat(among(both).data()).isNull();
    assertThat(among(Map.of("PEEKLOCK_DATA", "/data", "PEEKLOCK_IN_MEMORY", "false")).data())
        .isEqualTo(Path.of("/data"));
  }

  @Test
  void variablesNameEntitiesToo() {
    var settings =
        among(
            Map.of(
                "PEEKLOCK_QUEUES", "orders,LockDuration=PT30S,MaxDeliveryCount=5; invoices\npaid",
                "PEEKLOCK_TOPICS", "events",
                "PEEKLOCK_SUBSCRIPTIONS", "events/audit, events/urgent,MaxDeliveryCount=2"));

    assertThat(settings.definitions())
        .extracting("path")
        .containsExactlyInAnyOrder(
            "orders",
            "invoices",
            "paid",
            "events",
            "events/Subscriptions/audit",
            "events/Subscriptions/urgent");
    assertThat(settings.definitions()).anyMatch(each -> each.lockDurationMillis() == 30_000);
    assertThatThrownBy(() -> among(Map.of("PEEKLOCK_QUEUE", "orders")))
        .hasMessageContaining("did you mean PEEKLOCK_QUEUES?");
  }

  @Test
  void whoIsInsecureHasNoLimitsThatNobodyNamed() {
    var emulator = Map.of("ACCEPT_EULA", "Y", "PEEKLOCK_INSECURE", "true");

    var open = among(emulator, "--bind=0.0.0.0");

    assertThat(open.profile()).isEqualTo(Profile.RELAXED);
    assertThat(open.wellKnownKey()).isTrue();
    assertThat(open.takesPlaintext()).isTrue();
    assertThat(among(emulator, "--profile=standard").profile()).isEqualTo(Profile.STANDARD);
    assertThat(among(Map.of("PEEKLOCK_INSECURE", "false"), "--bind=0.0.0.0").wellKnownKey())
        .isFalse();
    assertThat(among(Map.of("ACCEPT_EULA", "Y", "PEEKLOCK_INSECURE", "false")).profile())
        .isEqualTo(Profile.EMULATOR);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PEEKLOCK_PROT | 1 | PEEKLOCK_PROT, which sets nothing (did you mean PEEKLOCK_PORT?)",
        "PEEKLOCK_DISK_RESERVE_MEGABYTE | 1 | did you mean PEEKLOCK_DISK_RESERVE_MEGABYTES?",
        "PEEKLOCK_LOGFORMAT | json | did you mean PEEKLOCK_LOG_FORMAT?",
        "PEEKLOCK_port | 1 | did you mean PEEKLOCK_PORT?",
        "PEEKLOCK_PORT | many | PEEKLOCK_PORT: \"many\" is not a whole number",
        "PEEKLOCK_PORT | tcp://10.0.0.1:5672 | PEEKLOCK_PORT: \"tcp://10.0.0.1:5672\" is not",
        "PEEKLOCK_IN_MEMORY | yes | PEEKLOCK_IN_MEMORY: \"yes\" is neither true nor false",
        "PEEKLOCK_PROFILE | loose | PEEKLOCK_PROFILE: ",
        "PEEKLOCK_BIND | no.such.host.invalid | PEEKLOCK_BIND: there is no address",
        "PEEKLOCK_CONFIG | /no/such/file | the configuration file /no/such/file does not exist",
      })
  void whatCannotBeIsRefusedWithTheNameOfTheVariable(String name, String value, String sentence) {
    assertThatThrownBy(() -> among(Map.of(name, value)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HOST", "QA", "", "SOMETHING_OF_SOMEBODY_ELSES", "DISK_RESERVE_MB"})
  void whatMayBeSomebodyElsesIsAWarning(String word) {
    var name = "PEEKLOCK_" + word;

    assertThat(among(Map.of(name, "x")).warnings())
        .singleElement()
        .asString()
        .startsWith("the environment has " + name + ", which sets nothing");
  }

  @Test
  void aFileWhosePathCannotBeIsNamedWithItsVariable() {
    assertThatThrownBy(() -> among(Map.of("PEEKLOCK_CONFIG", "a\0b")))
        .hasMessageContaining("PEEKLOCK_CONFIG: ");
    assertThatThrownBy(() -> among(Map.of(), "--config", "a\0b"))
        .hasMessageContaining("--config: ");
  }

  @Test
  void whatOthersReadIsKnown() {
    for (var name :
        List.of("LOG", "LOG_FORMAT", "LOG_LIBRARIES", "JAVA", "GC", "HEAP", "JVM_FLAGS")) {
      assertThat(among(Map.of("PEEKLOCK_" + name, "x")).profile()).isEqualTo(Profile.RELAXED);
    }
  }

  @Test
  void whatKubernetesSaysAboutServicesIsNoSetting() {
    var service =
        Map.of(
            "PEEKLOCK_SERVICE_HOST", "10.0.0.1",
            "PEEKLOCK_SERVICE_PORT", "5672",
            "PEEKLOCK_SERVICE_PORT_AMQP", "5672",
            "PEEKLOCK_PORT", "tcp://10.0.0.1:5672",
            "PEEKLOCK_PORT_5672_TCP", "tcp://10.0.0.1:5672",
            "PEEKLOCK_PORT_5672_TCP_ADDR", "10.0.0.1",
            "PEEKLOCK_TEST_SERVICE_HOST", "10.0.0.2",
            "PEEKLOCK_TEST_PORT", "tcp://10.0.0.2:5672");
    assertThat(among(service).listening().asked()).isFalse();

    var both = Map.of("PEEKLOCK_SERVICE_HOST", "10.0.0.1", "PEEKLOCK_PORT", "7");
    assertThat(among(both).listening().ports()).containsExactly(7);
  }
}
