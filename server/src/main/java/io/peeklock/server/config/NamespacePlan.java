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
  private final Set<Integer> ports = new HashSet<>();
  private final Set<String> hosts = new HashSet<>();
  private final List<String> warnings;
  private final Map<String, List<NamespaceConfig>> wishes = new LinkedHashMap<>();

  /**
   * A plan without namespaces.
   *
   * @param taken ports that lead to all of them
   * @param warnings to be added to
   */
  NamespacePlan(Profile profile, List<Integer> taken, List<String> warnings) {
    this.profile = profile;
    this.ports.addAll(taken);
    this.warnings = warnings;
  }

  /** Adds those of one source, the weakest source first. */
  void add(List<NamespaceConfig> source) {
    var here = new HashSet<String>();
    for (var wish : source) {
      var key = wish.name().toLowerCase(Locale.ROOT);
      check(wish, key);
      if (!here.add(key)) {
        throw wish.wrong("it is named twice");
      }
      wishes.computeIfAbsent(key, first -> new ArrayList<>()).add(wish);
    }
  }

  private static void check(NamespaceConfig wish, String key) {
    if (wish.name().length() > LONGEST_NAME) {
      throw wish.wrong("the name has more than " + LONGEST_NAME + " characters");
    }
    if (!NAME.matcher(wish.name()).matches()) {
      throw wish.wrong(
          "the name should be letters, digits and hyphens, begin with a letter and not end with a"
              + " hyphen");
    }
    if (TAKEN.contains(key)) {
      throw wish.wrong("the default namespace is called so");
    }
  }

  /** All of them, in the order in which they were named. */
  List<NamespaceSettings> all() {
    return wishes.values().stream().map(this::judged).toList();
  }

  private NamespaceSettings judged(List<NamespaceConfig> of) {
    var entities = new ArrayList<Entity>();
    List<ConfigSource.Wish> hostsSaid = List.of();
    List<ConfigSource.Wish> portsSaid = List.of();
    for (var wish : of) {
      hostsSaid = wish.hosts().isEmpty() ? hostsSaid : wish.hosts();
      portsSaid = wish.ports().isEmpty() ? portsSaid : wish.ports();
      for (var entity : wish.entities()) {
        entities.add(entity.under(profile, warnings));
      }
    }
    return new NamespaceSettings(
        of.getFirst().name(),
        hostsSaid.stream().map(this::host).toList(),
        portsSaid.stream().map(this::port).toList(),
        new CreationOrder(entities).all());
  }

  private String host(ConfigSource.Wish wish) {
    if (!HOST.matcher(wish.value()).matches()) {
      throw wish.wrong("\"" + wish.value() + "\" is not a host name");
    }
    if (!hosts.add(wish.value().toLowerCase(Locale.ROOT))) {
      throw wish.wrong("the host \"" + wish.value() + "\" is named twice");
    }
    return wish.value();
  }

  private int port(ConfigSource.Wish wish) {
    try {
      var port = (int) QueueDraft.number(wish.value(), 0, 65_535);
      if (port != 0 && !ports.add(port)) {
        throw wish.wrong("the port " + port + " is named twice");
      }
      return port;
    } catch (IllegalArgumentException wrong) {
      throw wish.wrong(String.valueOf(wrong.getMessage()));
    }
  }
}
