package io.peeklock.runtime.access;

import java.util.Set;

/**
 * A shared access policy: a name with two keys that grant rights on a path and all below it (S-469,
 * S-470).
 *
 * @param name looked up without regard to case
 * @param scope the path that it belongs to, normalised by {@link ResourcePath}; empty for the
 *     namespace
 * @param primary signs tokens
 * @param secondary signs tokens too, so that the primary key can be changed (S-468)
 * @param rights the rights that it grants; Manage includes both others (S-471)
 */
public record Policy(
    String name, String scope, Secret primary, Secret secondary, Set<Right> rights) {

  /** The policy that a namespace starts with (S-472). */
  public static final String ROOT_NAME = "RootManageSharedAccessKey";

  /**
   * Creates a policy.
   *
   * @throws IllegalArgumentException for Manage without the other rights
   */
  public Policy {
    rights = Set.copyOf(rights);
    if (rights.isEmpty() || (rights.contains(Right.MANAGE) && rights.size() < 3)) {
      throw new IllegalArgumentException("Manage must come with Send and Listen");
    }
  }

  /** All rights on the whole namespace, with one key as both. */
  public static Policy root(Secret key) {
    return new Policy(ROOT_NAME, "", key, key, Set.of(Right.values()));
  }
}
