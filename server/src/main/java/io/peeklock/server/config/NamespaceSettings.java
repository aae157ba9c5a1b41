package io.peeklock.server.config;

import io.peeklock.runtime.access.Policy;
import java.util.List;
import java.util.Locale;

/**
 * A namespace beside the default one.
 *
 * @param name its first label in host names, with the case that the operator gave it
 * @param hosts whole names that mean it too
 * @param ports that lead to it whatever it is called; 0 takes any free one
 * @param entities to be there after the start, beside those in its folder
 * @param policies beside the one that it begins with
 */
public record NamespaceSettings(
    String name,
    List<String> hosts,
    List<Integer> ports,
    List<Entity> entities,
    List<Policy> policies) {

  /** Takes copies. */
  public NamespaceSettings {
    hosts = List.copyOf(hosts);
    ports = List.copyOf(ports);
    entities = List.copyOf(entities);
    policies = List.copyOf(policies);
  }

  /** One with no more policies. */
  public NamespaceSettings(
      String name, List<String> hosts, List<Integer> ports, List<Entity> entities) {
    this(name, hosts, ports, entities, List.of());
  }

  /** What its folder is called, below that of all of them; names differ in more than case. */
  public String folder() {
    return name.toLowerCase(Locale.ROOT);
  }

  /** The name by which it is called on this machine. */
  public String localHost() {
    return folder() + ".localhost";
  }
}
