package io.peeklock.server.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the surroundings of the vendor's emulator say: variables that its compose files and test
 * libraries set, and the place where they put its file. The weakest source of all.
 *
 * <p>{@code SQL_SERVER}, {@code MSSQL_SA_PASSWORD}, {@code SQL_WAIT_INTERVAL} and their like are
 * for the emulator's own store, and mean nothing here.
 */
final class EmulatorEnvironment {
  private static final String AMQP_PORT = "EMULATOR_AMQP_PORT";
  private static final String HTTP_PORT = "EMULATOR_HTTP_PORT";
  private static final String CONFIG_PATH = "CONFIG_PATH";

  /** Where containers of the emulator have the file. */
  static final Path MOUNTED = Path.of("/ServiceBus_Emulator/ConfigFiles/Config.json");

  private final Map<String, String> variables;
  private final Path mounted;

  EmulatorEnvironment(Map<String, String> variables, Path mounted) {
    this.variables = variables;
    this.mounted = mounted;
  }

  private @Nullable String said(String variable) {
    var value = variables.get(variable);
    return value == null || value.isBlank() ? null : value.strip();
  }

  /** The profile, when somebody means an emulator, and the ports. */
  ConfigSource configured() {
    var configured = new ConfigSource();
    var amqp = said(AMQP_PORT);
    var http = said(HTTP_PORT);
    if (amqp != null || http != null) {
      var usual = Listening.DEFAULT_PORTS;
      var ports =
          (amqp == null ? usual.getFirst() : amqp) + "," + (http == null ? usual.getLast() : http);
      configured.say(Setting.PORT, ports, http == null ? AMQP_PORT : HTTP_PORT);
    }
    if (amqp != null || http != null || isCalledEmulator()) {
      configured.say(Setting.PROFILE, Profile.EMULATOR.word(), "the emulator's variables");
    }
    return configured;
  }

  /** Others ask for a consent and a database too, but nobody else for both. */
  private boolean isCalledEmulator() {
    return said("ACCEPT_EULA") != null && said("SQL_SERVER") != null;
  }

  /**
   * The emulator's file, when there is one at a place that it is known by.
   *
   * @param warnings is told of a variable that leads elsewhere, as others use its name too
   * @return null for none
   */
  @Nullable Path file(List<String> warnings) {
    var named = said(CONFIG_PATH);
    if (named != null) {
      var file = fileAt(named);
      if (file != null) {
        return file;
      }
      warnings.add(CONFIG_PATH + ": " + named + " is no Config.json of an emulator; left out");
    }
    return Files.isRegularFile(mounted) ? mounted : null;
  }

  private static @Nullable Path fileAt(String named) {
    try {
      var file = Path.of(named);
      return Files.isRegularFile(file) && ConfigFile.isEmulators(file) ? file : null;
    } catch (InvalidPathException none) {
      return null;
    }
  }
}
