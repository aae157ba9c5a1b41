package io.peeklock.server.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Puts together the namespaces that several sources ask for. Of one that several name, the hosts
 * and the ports of the strongest count that has any, and the entities of all.
 */
final class NamespacePlan {
  /** S-059. */
  private static final int LONGEST_NAME = 50;

  private static final Pattern NAME = Pattern.compile("[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?");
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

  /** What the namespace goes by that has no name. */
  private static final Set<String> TAKEN = Set.of("default", "localhost");

  private final Profile profile;
  private final boolean anyKey;
  private final Set<Integer> ports = new HashSet<>();
  private final Set<String> hosts = new HashSet<>();
  private final List<String> warnings;
  private final Map<String, List<NamespaceConfig>> configured = new LinkedHashMap<>();

  /**
   * A plan without namespaces.
   *
   * @param anyKey whether short keys will do
   * @param taken ports that lead to all of them
   * @param warnings to be added to
   */
  NamespacePlan(Profile profile, boolean anyKey, List<Integer> taken, List<String> warnings) {
    this.profile = profile;
    this.anyKey = anyKey;
    this.ports.addAll(taken);
    this.warnings = warnings;
  }

  /** Adds those of one source, the weakest source first. */
  void add(List<NamespaceConfig> source) {
    var here = new HashSet<String>();
    for (var given : source) {
      var key = given.name().toLowerCase(Locale.ROOT);
      check(given, key);
      if (!here.add(key)) {
        throw given.wrong("it is named twice");
      }
      configured.computeIfAbsent(key, first -> new ArrayList<>()).add(given);
    }
  }

  private static void check(NamespaceConfig given, String key) {
    if (given.name().length() > LONGEST_NAME) {
      throw given.wrong("the name has more than " + LONGEST_NAME + " characters");
    }
    if (!NAME.matcher(given.name()).matches()) {
      throw given.wrong(
          "the name should be letters, digits and hyphens, begin with a letter and not end with a"
              + " hyphen");
    }
    if (TAKEN.contains(key)) {
      throw given.wrong("the default namespace is called so");
    }
  }

  /**
   * All of them, in the order in which they were named.
   *
   * @param strict whether an entity that is there must be as it is asked for
   */
  List<NamespaceSettings> all(boolean strict) {
    return configured.values().stream().map(of -> judged(of, strict)).toList();
  }

  private NamespaceSettings judged(List<NamespaceConfig> of, boolean strict) {
    var entities = new ArrayList<Entity>();
    List<ConfigSource.Value> hostsSaid = List.of();
    List<ConfigSource.Value> portsSaid = List.of();
    var policies = new ArrayList<PolicyConfig>();
    for (var given : of) {
      policies.addAll(given.policies());
      hostsSaid = given.hosts().isEmpty() ? hostsSaid : given.hosts();
      portsSaid = given.ports().isEmpty() ? portsSaid : given.ports();
      for (var entity : given.entities()) {
        entities.add(entity.under(profile, warnings).treated(strict, false));
      }
    }
    return new NamespaceSettings(
        of.getFirst().name(),
        hostsSaid.stream().map(this::host).toList(),
        portsSaid.stream().map(this::port).toList(),
        new CreationOrder(entities).all(),
        PolicyConfig.judged(policies, anyKey));
  }

  private String host(ConfigSource.Value given) {
    if (!HOST.matcher(given.value()).matches()) {
      throw given.wrong("\"" + given.value() + "\" is not a host name");
    }
    if (!hosts.add(given.value().toLowerCase(Locale.ROOT))) {
      throw given.wrong("the host \"" + given.value() + "\" is named twice");
    }
    return given.value();
  }

  private int port(ConfigSource.Value given) {
    try {
      var port = (int) QueueDraft.number(given.value(), 0, 65_535);
      if (port != 0 && !ports.add(port)) {
        throw given.wrong("the port " + port + " is named twice");
      }
      return port;
    } catch (IllegalArgumentException wrong) {
      throw given.wrong(String.valueOf(wrong.getMessage()));
    }
  }
}
