package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import io.peeklock.server.config.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which key opens the namespace, and where it is kept. */
class NamespaceKeyTest {
  private @TempDir Path data;

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, relaxed, true, WELL_KNOWN",
    "127.0.0.1, relaxed, false, WELL_KNOWN",
    "::1, standard, false, WELL_KNOWN",
    "0.0.0.0, emulator, false, WELL_KNOWN",
    "0.0.0.0, emulator, true, WELL_KNOWN",
    "0.0.0.0, relaxed, false, NEW",
    "0.0.0.0, relaxed, true, FLEETING",
    "::, premium, false, NEW",
  })
  void whereItListensAndTheProfileDecideTheKey(
      String bind, String profile, boolean inMemory, NamespaceKey.Origin origin) throws Exception {
    var where = inMemory ? "--in-memory=true" : "--data=" + data;
    var settings = ServeOptions.read(List.of("--bind", bind, "--profile", profile, where));

    var key = NamespaceKey.of(settings, settings.data());

    assertThat(key.origin()).isEqualTo(origin);
    if (origin == NamespaceKey.Origin.WELL_KNOWN) {
      assertThat(key.text()).isEqualTo("SAS_KEY_VALUE");
    } else {
      assertThat(Base64.getDecoder().decode(key.text())).hasSize(32);
    }
  }

  @Test
  void aMadeKeyIsKeptForItsOwnerOnlyAndFoundAgain() throws Exception {
    var made = NamespaceKey.of(open(), data);

    var found = NamespaceKey.of(open(), data);

    assertThat(found.origin()).isEqualTo(NamespaceKey.Origin.KEPT);
    assertThat(found.text()).isEqualTo(made.text());
    assertThat(Files.getPosixFilePermissions(data.resolve("namespace-key")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void everyKeyIsAnother() throws Exception {
    var first = NamespaceKey.of(open(), data);
    Files.delete(data.resolve("namespace-key"));

    assertThat(NamespaceKey.of(open(), data).text()).isNotEqualTo(first.text());
  }

  @Test
  void theWellKnownKeyIsRefusedWhereOthersCanCome() throws Exception {
    keep("SAS_KEY_VALUE");

    assertThatThrownBy(() -> NamespaceKey.of(open(), data))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("well-known");
  }

  @Test
  void aShortKeyIsRefusedAndNotShown() throws Exception {
    keep("c2hvcnQ=");

    assertThatThrownBy(() -> NamespaceKey.of(open(), data))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("shorter than 32 bytes")
        .hasMessageNotContaining("c2hvcnQ=");
  }

  @Test
  void aKeyThatOthersCanReadIsRefused() throws Exception {
    keep("x".repeat(44));
    Files.setPosixFilePermissions(
        data.resolve("namespace-key"), PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> NamespaceKey.of(open(), data))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("open to other users");
  }

  @Test
  void itsTextFormHidesIt() throws Exception {
    var key = NamespaceKey.of(open(), data);

    assertThat(key.toString()).doesNotContain(key.text());
  }

  private ServerSettings open() {
    return ServeOptions.read(List.of("--bind", "0.0.0.0", "--data", data.toString()));
  }

  private void keep(String key) throws Exception {
    var file = Files.writeString(data.resolve("namespace-key"), key);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
