package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {
  @Test
  void everySettingIsComparedWhenTheFileIsReadAgain() {
    var answeredByData = EnumSet.of(Setting.IN_MEMORY);

    assertThat(ServerSettings.inMemory(List.of()).mine().keySet())
        .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(answeredByData));
  }
}
