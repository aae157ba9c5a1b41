package io.peeklock.amqp.engine.framing;

import io.netty.buffer.ByteBufUtil;

/** A sentence that is too long for its frame: its beginning, a gap, and its end. Any thread. */
final class Excerpt {
  /** The end of a sentence that stays, of at most three bytes each. */
  private static final int END_CHARS = 80;

  private static final String GAP = " … ";

  private Excerpt() {}

  /** As much of the text as fits into so many bytes of UTF-8, no character of it in halves. */
  static String of(String text, int mostBytes) {
    int second = endOf(text);
    int left =
        mostBytes - ByteBufUtil.utf8Bytes(GAP) - ByteBufUtil.utf8Bytes(text, second, text.length());
    int first = 0;
    while (first < second) {
      int next = text.offsetByCodePoints(first, 1);
      left -= ByteBufUtil.utf8Bytes(text, first, next);
      if (left < 0) {
        break;
      }
      first = next;
    }
    return text.substring(0, first) + GAP + text.substring(second);
  }

  /** Where the end of a text begins, not within a character. */
  private static int endOf(String text) {
    int at = Math.max(0, text.length() - END_CHARS);
    return at > 0 && Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
  }
}
