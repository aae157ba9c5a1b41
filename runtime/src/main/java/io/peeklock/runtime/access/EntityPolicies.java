package io.peeklock.runtime.access;

import io.peeklock.runtime.thread.AnyThread;
import java.util.List;

/** The policies that sit on entities (S-470). */
@AnyThread
public interface EntityPolicies {

  /** There are none. */
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
   * Those on the entity of this path and on what is above it, without the namespace.
   *
   * @param path normalised by {@link ResourcePath}
   */
  List<Policy> reaching(String path);

  /**
   * Those of this name, on whatever entity, that have this key as one of theirs. Takes as long for
   * a name that nobody has as for a wrong key.
   *
   * @param name without regard to case
   */
  List<Policy> openedBy(String name, byte[] key);
}
