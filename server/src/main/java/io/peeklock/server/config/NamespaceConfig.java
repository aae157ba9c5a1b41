package io.peeklock.server.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A namespace that one source asks for; judged by {@link NamespacePlan}.
 *
 * @param where what errors begin with
 */
record NamespaceConfig(
    String name,
    String where,
    List<ConfigSource.Value> hosts,
    List<ConfigSource.Value> ports,
    List<EntityConfig> entities,
    List<PolicyConfig> policies) {
  private static final List<String> PROPERTIES = List.of("Host", "Port");

  NamespaceConfig(String name, String where) {
    this(
        name.strip(),
        where,
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>(),
        new ArrayList<>());
  }

  /** Reads {@code NAME[,Host=NAME…][,Port=N…]}. */
  static NamespaceConfig ofOption(String option) {
    var parts = option.split(",", -1);
    var namespace = new NamespaceConfig(parts[0], "--namespace " + parts[0]);
    for (var part : Arrays.asList(parts).subList(1, parts.length)) {
      var equals = part.indexOf('=');
      var property = equals < 0 ? "" : part.substring(0, equals).strip();
      switch (property.toLowerCase(Locale.ROOT)) {
        case "host" -> namespace.hosts(part.substring(equals + 1), namespace.where());
        case "port" -> namespace.ports(part.substring(equals + 1), namespace.where());
        case "" -> throw namespace.wrong("\"" + part + "\" should read Host=NAME or Port=N");
        default ->
            throw namespace.wrong(
                "there is no property \""
                    + property
                    + "\""
                    + Nearest.hint(property, PROPERTIES)
                    + "; queues and topics are made by the YAML file or by clients");
      }
    }
    return namespace;
  }

  /** Adds names that commas part. */
  void hosts(String list, String at) {
    hosts.addAll(parts(list, at));
  }

  /** Adds ports that commas part. */
  void ports(String list, String at) {
    ports.addAll(parts(list, at));
  }

  private static List<ConfigSource.Value> parts(String list, String at) {
    return Arrays.stream(list.split(",", -1))
        .map(part -> new ConfigSource.Value(part.strip(), at))
        .toList();
  }

  ConfigurationException wrong(String reason) {
    return new ConfigurationException(where + ": " + reason);
  }
}
