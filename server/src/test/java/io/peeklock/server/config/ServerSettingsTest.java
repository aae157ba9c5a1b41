package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {
  @Test
  void theMemoryOfABrokerInMemoryCanBeSaid() {
    var said = ServeOptions.read(List.of("--in-memory", "--memory-megabytes=64"));

    assertThat(said.memoryBytes()).isEqualTo(64L << 20);
    assertThat(ServeOptions.read(List.of("--in-memory")).memoryBytes()).isNull();
    assertThat(ServeOptions.help()).contains("--memory-megabytes");
    for (var wrong :
        List.of(
            List.of("--memory-megabytes=64"),
            List.of("--in-memory", "--memory-megabytes=0"),
            List.of("--data=d", "--memory-megabytes=64"))) {
      assertThatThrownBy(() -> ServeOptions.read(wrong))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("memory-megabytes");
    }
  }

  @Test
  void everySettingIsComparedWhenTheFileIsReadAgain() {
    var answeredByData = EnumSet.of(Setting.IN_MEMORY);

    assertThat(ServerSettings.inMemory(List.of()).mine().keySet())
        .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(answeredByData));
  }
}
