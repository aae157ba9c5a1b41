package io.peeklock.server.config;

import io.peeklock.kernel.entity.EntityKind;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options of {@code serve}. By hand: a library for it costs a quarter of the time until
 * the broker is ready, and all there is to read is {@code --word value}.
 */
public final class ServeOptions {
  private static final String QUEUE = "--queue";
  private static final String TOPIC = "--topic";
  private static final String SUBSCRIPTION = "--subscription";
  private static final String NAMESPACE = "--namespace";
  private static final String CONFIG = "--config";

  private final ConfigSource configured = new ConfigSource();
  private @Nullable String config;

  private ServeOptions() {}

  /**
   * The settings that options, variables of the environment, and the file that they name come to;
   * the earlier wins.
   *
   * @throws ConfigurationException when they cannot be
   */
  public static ServerSettings read(List<String> arguments) {
    return read(arguments, System.getenv(), EmulatorEnvironment.MOUNTED);
  }

  /**
   * The same in another environment than that of this process.
   *
   * @throws ConfigurationException when they cannot be
   */
  public static ServerSettings read(List<String> arguments, Map<String, String> environment) {
    return read(arguments, environment, EmulatorEnvironment.MOUNTED);
  }

  static ServerSettings read(
      List<String> arguments, Map<String, String> environment, Path mounted) {
    var options = taken(arguments);
    var variables = new SettingVariables(environment);
    var around = new EmulatorEnvironment(environment, mounted);
    var file = options.file(variables, around);
    var said = variables.configured();
    return ServerSettings.from(
        options.configured,
        said,
        file == null ? options.unsaid(said, around) : file,
        around.configured());
  }

  /** What stands for a file that is not there: nothing, but for who takes this for the emulator. */
  private ConfigSource unsaid(ConfigSource variables, EmulatorEnvironment around) {
    var named = !configured.entities().isEmpty() || !variables.entities().isEmpty();
    return named || !around.isCalledEmulator() ? new ConfigSource() : EmulatorDefaults.source();
  }

  /**
   * The same with the entities of the file only, for a broker that has those of the options.
   *
   * @return null when no file is named
   * @throws ConfigurationException when they cannot be
   */
  public static @Nullable ServerSettings readAgain(List<String> arguments) {
    return readAgain(arguments, System.getenv(), EmulatorEnvironment.MOUNTED);
  }

  static @Nullable ServerSettings readAgain(
      List<String> arguments, Map<String, String> environment, Path mounted) {
    var options = taken(arguments);
    var variables = new SettingVariables(environment);
    var around = new EmulatorEnvironment(environment, mounted);
    var file = options.file(variables, around);
    options.configured.forgetEntities();
    return file == null
        ? null
        : ServerSettings.from(
            options.configured, variables.configured(), file, around.configured());
  }

  private static ServeOptions taken(List<String> arguments) {
    var options = new ServeOptions();
    var rest = arguments.iterator();
    while (rest.hasNext()) {
      options.take(rest.next(), rest);
    }
    return options;
  }

  private void take(String argument, Iterator<String> rest) {
    var equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
    var name = equals < 0 ? argument : argument.substring(0, equals);
    var value = equals < 0 ? null : argument.substring(equals + 1);
    switch (name) {
      case QUEUE -> configured.queue(valueOf(name, value, rest));
      case CONFIG -> config = valueOf(name, value, rest);
      case TOPIC ->
          configured.add(EntityConfig.ofOption(EntityKind.TOPIC, valueOf(name, value, rest)));
      case SUBSCRIPTION ->
          configured.add(
              EntityConfig.ofOption(EntityKind.SUBSCRIPTION, valueOf(name, value, rest)));
      case NAMESPACE -> configured.add(NamespaceConfig.ofOption(valueOf(name, value, rest)));
      default -> set(name, value, rest);
    }
  }

  private void set(String name, @Nullable String value, Iterator<String> rest) {
    var setting = name.startsWith("--") ? Setting.of(name.substring(2)) : null;
    if (setting == null) {
      throw new ConfigurationException(
          "serve has no option \"" + name + "\"" + Nearest.hint(name, names()));
    }
    if (setting.label().isEmpty()) {
      configured.say(setting, value == null ? "true" : value, name);
    } else {
      configured.say(setting, valueOf(name, value, rest), name);
    }
  }

  private static String valueOf(String name, @Nullable String value, Iterator<String> rest) {
    if (value != null) {
      return value;
    }
    if (!rest.hasNext()) {
      throw new ConfigurationException(name + " needs a value");
    }
    return rest.next();
  }

  private @Nullable ConfigSource file(SettingVariables variables, EmulatorEnvironment around) {
    if (config != null) {
      return file(CONFIG, config);
    }
    var named = variables.config();
    if (named != null) {
      return file("PEEKLOCK_CONFIG", named);
    }
    var text = variables.configJson();
    return text == null ? around.file(configured.warnings()) : ConfigFile.ofText(text);
  }

  private static ConfigSource file(String where, String named) {
    try {
      return ConfigFile.read(Path.of(named));
    } catch (InvalidPathException invalid) {
      throw new ConfigurationException(where + ": \"" + named + "\" is not a path");
    }
  }

  private static List<String> names() {
    var names =
        new ArrayList<>(
            List.of(QUEUE, TOPIC, SUBSCRIPTION, NAMESPACE, CONFIG, "--help", "--version"));
    for (var setting : Setting.values()) {
      names.add(setting.option());
    }
    return names;
  }

  /** What {@code serve --help} prints. */
  public static String help() {
    var text = new StringBuilder("Usage: peeklock serve [options]\n\nRuns the broker.\n\n");
    line(text, QUEUE + " NAME[,Property=value]...", "");
    line(text, "", "a queue to have, made when missing; may be repeated");
    line(text, TOPIC + " NAME[,Property=value]...", "");
    line(text, "", "a topic to have; may be repeated");
    line(text, SUBSCRIPTION + " TOPIC/NAME[,Property=value]...", "");
    line(text, "", "a subscription to have, which gets every message; rules come from");
    line(text, "", "the YAML file or from clients");
    line(text, NAMESPACE + " NAME[,Host=NAME][,Port=N]...", "");
    line(text, "", "a namespace beside the default one, with entities, a key and a folder of");
    line(text, "", "its own; may be repeated");
    for (var setting : Setting.values()) {
      line(text, (setting.option() + " " + setting.label()).strip(), setting.help());
    }
    line(text, CONFIG + " FILE", "YAML file with the same settings, or an emulator's Config.json;");
    line(text, "", "options win over it");
    line(text, "--help", "print this");
    line(text, "--version", "print the version");
    return text.append(
            """

            Each of these but the entities is a variable too: PEEKLOCK_DISK_RESERVE_MEGABYTES for
            --disk-reserve-megabytes. Options win over variables, variables over the file.
            PEEKLOCK_QUEUES, PEEKLOCK_TOPICS and PEEKLOCK_SUBSCRIPTIONS name entities, parted by
            commas: orders,LockDuration=PT30S,invoices. PEEKLOCK_CONFIG_JSON holds the text of a
            Config.json.

            A queue's properties have their Service Bus names: LockDuration, MaxDeliveryCount,
            DefaultMessageTimeToLive, DeadLetteringOnMessageExpiration, MaxSizeInMegabytes,
            MaxMessageSizeInKilobytes, RequiresSession, RequiresDuplicateDetection,
            DuplicateDetectionHistoryTimeWindow. Topics and subscriptions have those of them that
            concern them. Durations are ISO-8601, such as PT30S.

            Ends with 0 when stopped, 1 when it could not start, 2 for a wrong setting, 3 when its
            log failed.
            """)
        .toString();
  }

  private static void line(StringBuilder text, String option, String help) {
    text.append(String.format(Locale.ROOT, "  %-24s %s", option, help).stripTrailing());
    text.append('\n');
  }
}
