package io.peeklock.runtime.access;

import java.util.List;

/** The policies that sit on entities (S-470). Callable from any thread. */
@FunctionalInterface
public interface EntityPolicies {

  /** There are none. */
  EntityPolicies NONE = path -> List.of();

  /**
   * Those on the entity of this path and on what is above it, without the namespace.
   *
   * @param path normalised by {@link ResourcePath}
   */
  List<Policy> reaching(String path);
}
