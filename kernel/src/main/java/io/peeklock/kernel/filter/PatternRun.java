package io.peeklock.kernel.filter;

/**
 * What stands between two percent signs of a pattern: bytes, and signs for any one character.
 *
 * <p>It is found in a text bit by bit: bit j says that the first j + 1 elements match up to the
 * byte just read, and each byte moves all bits at once. An element for any character matches its
 * first byte and stays matched over the others.
 */
final class PatternRun {
  /** The element that any one character matches. */
  static final int ANY = 256;

  private static final int OTHER_FIRST_BYTE = 0;
  private static final int OTHER_CONTINUATION = 1;

  private final int[] elements;
  private final int words;
  private final char[] classOf = new char[256];
  private final long[] masks;
  private final long[] anyMask;

  PatternRun(int[] elements) {
    this.elements = elements;
    this.words = Math.max(1, (elements.length + 63) >> 6);
    int classes = sortBytes();
    this.masks = new long[classes * words];
    this.anyMask = new long[words];
    for (int j = 0; j < elements.length; j++) {
      if (elements[j] == ANY) {
        set(anyMask, 0, j);
        for (int one = 0; one < 256; one++) {
          if (!LikePattern.isContinuation((byte) one)) {
            set(masks, classOf[one], j);
          }
        }
      } else {
        set(masks, classOf[elements[j]], j);
      }
    }
  }

  /** Bytes that the elements do not tell apart share a class. */
  private int sortBytes() {
    for (int one = 0; one < 256; one++) {
      classOf[one] =
          (char) (LikePattern.isContinuation((byte) one) ? OTHER_CONTINUATION : OTHER_FIRST_BYTE);
    }
    int classes = 2;
    for (int element : elements) {
      if (element != ANY && classOf[element] < 2) {
        classOf[element] = (char) classes++;
      }
    }
    return classes;
  }

  private void set(long[] bits, int row, int bit) {
    bits[row * words + (bit >> 6)] |= 1L << bit;
  }

  int length() {
    return elements.length;
  }

  /** Where it ends when it begins at a place; -1 when it is not there. */
  int endAt(byte[] text, int from, int end) {
    int at = from;
    for (int element : elements) {
      if (at == end) {
        return -1;
      }
      if (element == ANY) {
        at = LikePattern.characterEnd(text, at, end);
      } else if ((text[at++] & 0xff) != element) {
        return -1;
      }
    }
    return at;
  }

  /** Where it begins when it ends at a place; -1 when it is not there. */
  int startBefore(byte[] text, int from, int end) {
    int at = end;
    for (int j = elements.length - 1; j >= 0; j--) {
      if (at == from) {
        return -1;
      }
      at--;
      if (elements[j] == ANY) {
        while (at > from && LikePattern.isContinuation(text[at])) {
          at--;
        }
      } else if ((text[at] & 0xff) != elements[j]) {
        return -1;
      }
    }
    return at;
  }

  /** Where its first occurrence ends; -1 when there is none. */
  int find(byte[] text, int from, int end) {
    int found = words == 1 ? findShort(text, from, end) : findLong(text, from, end);
    return found < 0 ? -1 : LikePattern.characterEnd(text, found, end);
  }

  private int findShort(byte[] text, int from, int end) {
    long accepting = 1L << (elements.length - 1);
    long any = anyMask[0];
    long state = 0;
    for (int at = from; at < end; at++) {
      byte one = text[at];
      long stayed = LikePattern.isContinuation(one) ? state & any : 0;
      state = (((state << 1) | 1) & masks[classOf[one & 0xff]]) | stayed;
      if ((state & accepting) != 0) {
        return at;
      }
    }
    return -1;
  }

  private int findLong(byte[] text, int from, int end) {
    long accepting = 1L << (elements.length - 1);
    var state = new long[words];
    for (int at = from; at < end; at++) {
      byte one = text[at];
      int row = classOf[one & 0xff] * words;
      boolean stays = LikePattern.isContinuation(one);
      long carried = 1;
      for (int w = 0; w < words; w++) {
        long before = state[w];
        long stayed = stays ? before & anyMask[w] : 0;
        state[w] = (((before << 1) | carried) & masks[row + w]) | stayed;
        carried = before >>> 63;
      }
      if ((state[words - 1] & accepting) != 0) {
        return at;
      }
    }
    return -1;
  }
}
