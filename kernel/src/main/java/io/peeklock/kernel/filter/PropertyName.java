package io.peeklock.kernel.filter;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The name of an application property. Case does not count (S-330, S-336, S-363). */
public final class PropertyName implements Comparable<PropertyName> {
  private static final int CASE = 'a' - 'A';

  private final String text;
  private final byte[] utf8;
  private final boolean ascii;
  private final int hash;

  /** A name, spelled as its writer did. */
  public PropertyName(String text) {
    this.text = text;
    this.utf8 = text.getBytes(StandardCharsets.UTF_8);
    int signs = 0;
    for (byte one : utf8) {
      signs |= one;
    }
    this.ascii = signs >= 0;
    int sum = 0;
    for (int i = 0; i < text.length(); i++) {
      sum = sum * 31 + Character.toLowerCase(Character.toUpperCase(text.charAt(i)));
    }
    this.hash = sum;
  }

  public String text() {
    return text;
  }

  /** How many bytes the name has in UTF-8. */
  int utf8Length() {
    return utf8.length;
  }

  /**
   * How many bytes every key that is this name has, in UTF-8; -1 where that depends on its case.
   */
  public int keyLength() {
    return ascii ? utf8.length : -1;
  }

  /** Whether a message's key, in UTF-8, is this name; no garbage while this name is ASCII. */
  public boolean matches(byte[] key, int offset, int length) {
    if (!ascii) {
      return text.equalsIgnoreCase(new String(key, offset, length, StandardCharsets.UTF_8));
    }
    if (length != utf8.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (utf8[i] != key[offset + i] && !sameLetter(utf8[i], key[offset + i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameLetter(int one, int other) {
    int small = one | CASE;
    return small == (other | CASE) && small >= 'a' && small <= 'z';
  }

  @Override
  public boolean equals(@Nullable Object other) {
    // a non-ASCII letter is never the other case of an ASCII one: the Kelvin sign is no k
    return other instanceof PropertyName that
        && ascii == that.ascii
        && text.equalsIgnoreCase(that.text);
  }

  /** An order, so that hash maps can find a name among many with a chosen equal hash. */
  @Override
  public int compareTo(PropertyName other) {
    return ascii == other.ascii
        ? text.compareToIgnoreCase(other.text)
        : Boolean.compare(ascii, other.ascii);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return text;
  }
}
