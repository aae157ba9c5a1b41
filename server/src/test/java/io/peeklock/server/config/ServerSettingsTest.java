package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
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
  void budgetsCanBeSaidUpToTheirCeilings() {
    var said = ServeOptions.read(List.of("--limits=transfers=64, large_pieces=2"));

    assertThat(said.budgets()).isEqualTo(Map.of("transfers", 64L << 20, "large_pieces", 2L << 20));
    Map.of(
            "transfers", "should be a budget and MiB, such as transfers=64",
            "transfer=1", "there is no budget \"transfer\" (did you mean transfers?)",
            "memory_bodies=1", "memory_bodies is what memory-megabytes sets",
            "replies=513", "replies: ",
            "replies=0", "replies: ",
            "replies=some", "replies: ",
            "replies=1,replies=2", "replies is said twice")
        .forEach(
            (wrong, sentence) ->
                assertThatThrownBy(() -> ServeOptions.read(List.of("--limits=" + wrong)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("--limits: ")
                    .hasMessageContaining(sentence));
    for (var name :
        List.of("resident_bodies", "staged_bodies", "large_pieces", "staged_large_bodies")) {
      assertThatThrownBy(() -> ServeOptions.read(List.of("--in-memory", "--limits=" + name + "=1")))
          .hasMessage(
              "--limits: " + name + " follows memory-megabytes where there is no data folder");
    }
  }

  @Test
  void theGuideNamesEverySetting() throws IOException {
    var guide = Files.readString(Path.of("..", "docs", "guide", "configuration.md"));

    for (var setting : Setting.values()) {
      assertThat(guide).containsPattern("\n\\| `" + setting.option() + "[ `]");
    }
  }

  @Test
  void everySettingIsComparedWhenTheFileIsReadAgain() {
    var answeredByData = EnumSet.of(Setting.IN_MEMORY);

    assertThat(ServerSettings.inMemory(List.of()).mine().keySet())
        .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(answeredByData));
  }
}
