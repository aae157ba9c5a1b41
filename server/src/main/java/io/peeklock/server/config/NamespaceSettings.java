package io.peeklock.server.config;

import java.util.List;
import java.util.Locale;

/**
 * A namespace beside the default one.
 *
 * @param name its first label in host names, with the case that the operator gave it
 * @param hosts whole names that mean it too
 * @param ports that lead to it whatever it is called; 0 takes any free one
 * @param entities to be there after the start, beside those in its folder
 */
public record NamespaceSettings(
    String name, List<String> hosts, List<Integer> ports, List<Entity> entities) {

  /** Takes copies. */
  public NamespaceSettings {
    hosts = List.copyOf(hosts);
    ports = List.copyOf(ports);
    entities = List.copyOf(entities);
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
