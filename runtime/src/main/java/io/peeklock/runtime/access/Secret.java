package io.peeklock.runtime.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A key. Its {@code toString} is a placeholder, so that it cannot reach a log by accident. */
public final class Secret {
  private final byte[] bytes;

  private Secret(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * A key as clients write it. It is used as UTF-8 text, even if it looks like base64.
   *
   * @param text not empty
   */
  public static Secret of(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("a key must not be empty");
    }
    return new Secret(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether these are the bytes of the key, compared in constant time. */
  public boolean matches(byte[] candidate) {
    return MessageDigest.isEqual(candidate, bytes);
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.matches(bytes);
  }

  @Override
  public int hashCode() {
    return 0; // Equal for all keys, so that a hash reveals nothing.
  }

  @Override
  public String toString() {
    return "Secret[hidden]";
  }
}
