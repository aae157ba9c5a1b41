package io.peeklock.conformance;

import java.nio.file.Path;

/** Data folders of brokers that a test starts for itself. */
public final class Folders {
  private Folders() {}

  /** A new empty one, which the broker's {@code close} removes. */
  public static Path fresh(String name) {
    return Installation.folder(name);
  }

  /** Where this module lies. */
  public static Path module() {
    return Installation.root().resolve("conformance");
  }
}
