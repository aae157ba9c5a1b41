package io.peeklock.runtime.access;

import io.peeklock.runtime.thread.AnyThread;
import java.util.List;

/** The policies of entities (S-470). */
@AnyThread
public interface EntityPolicies {

  /** No policies. */
  EntityPolicies NONE =
      new EntityPolicies() {
        @Override
        public List<Policy> reaching(String path) {
          return List.of();
        }

        @Override
        public List<Policy> openedBy(String name, byte[] key) {
          return List.of();
        }
      };

  /**
   * The policies of the entity of this path and of the entities above it, without the namespace.
   *
   * @param path normalised by {@link ResourcePath}
   */
  List<Policy> reaching(String path);

  /**
   * The policies of all entities that have this name and this key. Takes the same time for an
   * unknown name and for a wrong key.
   *
   * @param name without regard to case
   */
  List<Policy> openedBy(String name, byte[] key);
}
