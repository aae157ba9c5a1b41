package io.peeklock.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Which Peeklock this is. */
final class Version {
  private Version() {}

  static String current() {
    try (var in = Version.class.getResourceAsStream("version.txt")) {
      return in == null
          ? "unknown"
          : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
