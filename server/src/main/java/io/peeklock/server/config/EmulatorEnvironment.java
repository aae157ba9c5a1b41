package io.peeklock.server.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
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
  private static final String CONFIG_JSON = "CONFIG_JSON";
  private static final String EULA = "ACCEPT_EULA";
  private static final Set<String> YES = Set.of("y", "yes", "true", "1");

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
      configured.say(Setting.PORT, ports(amqp, http), http == null ? AMQP_PORT : HTTP_PORT);
    }
    if (isCalledEmulator()) {
      configured.say(Setting.PROFILE, Profile.EMULATOR.word(), "the emulator's variables");
      configured.remakesEntities();
    }
    return configured;
  }

  /**
   * The vendor's image minds the port of HTTP only; the other one is what compose files publish
   * 5672 as. So 5672 stays, and what the variable names is there too.
   */
  private static String ports(@Nullable String amqp, @Nullable String http) {
    var usual = Listening.DEFAULT_PORTS;
    var ports = new LinkedHashSet<String>();
    ports.add(String.valueOf(usual.getFirst()));
    ports.add(http == null ? String.valueOf(usual.getLast()) : http);
    if (amqp != null) {
      ports.add(amqp);
    }
    return String.join(",", ports);
  }

  /** Whether somebody starts this as the emulator: its consent is given, or one of its ports. */
  boolean isCalledEmulator() {
    var consent = said(EULA);
    return said(AMQP_PORT) != null
        || said(HTTP_PORT) != null
        || (consent != null && YES.contains(consent.toLowerCase(Locale.ROOT)));
  }

  /**
   * The emulator's file, by its text or at a place that it is known by.
   *
   * @param warnings is told of what should have been a file and is none
   * @return null for none
   * @throws ConfigurationException when there is one that cannot be read, or says what cannot be
   */
  @Nullable ConfigSource file(List<String> warnings) {
    var text = said(CONFIG_JSON);
    if (text != null) {
      if (EmulatorConfig.isOne(text)) {
        return EmulatorConfig.read(Path.of(CONFIG_JSON), text);
      }
      warnings.add(CONFIG_JSON + " holds no Config.json of an emulator; left out");
    }
    var named = said(CONFIG_PATH);
    if (named != null) {
      var file = fileAt(named);
      if (file != null) {
        return ConfigFile.read(file);
      }
      warnings.add(CONFIG_PATH + ": " + named + " is no Config.json of an emulator; left out");
    }
    return atMount(warnings);
  }

  private @Nullable ConfigSource atMount(List<String> warnings) {
    var file = MountedFile.at(mounted, warnings);
    return file == null ? null : ConfigFile.read(file);
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
