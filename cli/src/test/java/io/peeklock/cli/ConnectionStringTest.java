package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connection strings as Service Bus writes them. */
class ConnectionStringTest {

  @ParameterizedTest
  @CsvSource({
    "sb://h, true, 5672, false",
    "sb://h:7777/, TRUE, 7777, false",
    "sb://h, false, 5671, true",
    "sb://h:443, '', 443, true",
  })
  void theEmulatorWordDecidesOnTlsAndTheDefaultPort(
      String endpoint, String emulator, int port, boolean tls) {
    var read =
        ConnectionString.parse(
            "Endpoint="
                + endpoint
                + ";SharedAccessKeyName=n;SharedAccessKey=a=b==;UseDevelopmentEmulator="
                + emulator
                + ";");

    assertThat(read).isEqualTo(new ConnectionString("h", port, tls, "n", "a=b=="));
  }

  @Test
  void theDefaultOpensALocalBroker() {
    var read = ConnectionString.parse(ConnectionString.LOCAL);

    assertThat(read.port()).isEqualTo(5672);
    assertThat(read.tls()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "SharedAccessKeyName=n;SharedAccessKey=k, has no Endpoint",
    "Endpoint=sb://h;SharedAccessKeyName=n, has no SharedAccessKey",
    "Endpoint=nonsense;SharedAccessKeyName=n;SharedAccessKey=k, is not an address",
    "Endpoint=sb://h:65536;SharedAccessKeyName=n;SharedAccessKey=k, is not an address",
    "Endpoint=sb://h;nonsense, a part that is not name=value",
  })
  void whatIsMissingIsSaid(String text, String sentence) {
    assertThatThrownBy(() -> ConnectionString.parse(text))
        .isInstanceOf(CliFailure.class)
        .hasMessageContaining(sentence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Endpoint=sb://h SharedAccessKeyName=n;SharedAccessKey=canary",
        "Endpoint=sb://h,SharedAccessKeyName=n,SharedAccessKey=canary",
        "Endpoint=sb://h/ SharedAccessKey=canary",
        "SharedAccessKey=canary",
        "Endpoint=sb://h;canary",
      })
  void whatIsWrongIsSaidWithoutTheKey(String text) {
    assertThatThrownBy(() -> ConnectionString.parse(text))
        .isInstanceOf(CliFailure.class)
        .hasMessageContaining("connection string")
        .hasMessageNotContaining("canary");
  }

  @Test
  void theTextFormHidesTheKey() {
    assertThat(ConnectionString.parse(ConnectionString.LOCAL).toString())
        .doesNotContain("SAS_KEY_VALUE");
  }
}
