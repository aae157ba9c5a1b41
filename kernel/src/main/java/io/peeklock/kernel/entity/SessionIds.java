package io.peeklock.kernel.entity;

/**
 * How ids of message sessions compare: without regard to case (S-523). Each message keeps the
 * spelling that it was sent with.
 */
public final class SessionIds {
  private static final char FIRST_BEYOND_ASCII = 128;

  private SessionIds() {}

  /**
   * An id in the one spelling by which sessions are told apart. As {@link String#equalsIgnoreCase}
   * compares, character by character and in no language; the id itself where it has that spelling,
   * so that nothing is made for most.
   */
  public static String folded(String id) {
    for (int i = 0; i < id.length(); i++) {
      char each = id.charAt(i);
      if (fold(each) != each) {
        return foldedFrom(id, i);
      }
    }
    return id;
  }

  private static String foldedFrom(String id, int first) {
    char[] all = id.toCharArray();
    for (int i = first; i < all.length; i++) {
      all[i] = fold(all[i]);
    }
    return new String(all);
  }

  private static char fold(char each) {
    if (each < FIRST_BEYOND_ASCII) {
      return each >= 'A' && each <= 'Z' ? (char) (each + ('a' - 'A')) : each;
    }
    return Character.toLowerCase(Character.toUpperCase(each));
  }

  /**
   * The characters that a session holds of its id: both spellings, where they are two.
   *
   * @param folded the same id as {@link #folded} spells it
   */
  public static int charactersHeld(String id, String folded) {
    return id.equals(folded) ? id.length() : id.length() + folded.length();
  }
}
