package io.peeklock.kernel;

import org.jspecify.annotations.Nullable;

/** Checks that stay on in production. A broken one is our bug and stops the shard. */
public final class Invariant {

  private Invariant() {}

  /**
   * Stops the shard unless the condition holds.
   *
   * @throws BrokenInvariant when it does not
   */
  public static void check(boolean condition, String rule) {
    if (!condition) {
      throw new BrokenInvariant(rule);
    }
  }

  /**
   * The value, which must be there.
   *
   * @throws BrokenInvariant when it is null
   */
  public static <T> T present(@Nullable T value, String rule) {
    if (value == null) {
      throw new BrokenInvariant(rule);
    }
    return value;
  }

  /** A rule of our own was broken; not to be caught to carry on. */
  public static final class BrokenInvariant extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    BrokenInvariant(String rule) {
      super("broken invariant: " + rule);
    }
  }
}
