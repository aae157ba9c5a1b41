package io.peeklock.server.config;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What can be set for the whole program: {@code --word} on the command line, a key in the file. */
public enum Setting {
  /** The data folder. */
  DATA,
  /** Whether to keep everything in memory. */
  IN_MEMORY,
  /** The port; 0 takes any free one. */
  PORT,
  /** The address to listen on. */
  BIND,
  /** Which limits and defaults hold. */
  PROFILE,
  /** Whether other machines may connect without TLS. */
  ALLOW_PLAINTEXT,
  /** PEM file with the certificate. */
  TLS_CERTIFICATE,
  /** PEM file with the private key. */
  TLS_KEY;

  /** As the file spells it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static @Nullable Setting of(String word) {
    for (var setting : values()) {
      if (setting.word().equals(word)) {
        return setting;
      }
    }
    return null;
  }

  static List<String> words() {
    return Arrays.stream(values()).map(Setting::word).toList();
  }
}
