package io.peeklock.kernel.filter;

/**
 * Why a filter or action is refused (S-325).
 *
 * @param offset the place in the text, in characters from 0
 * @param line the same place, from 1; 0 when the problem has no place
 * @param column the same place, in characters from 1
 * @param sentence what is wrong, for the client
 */
public record FilterProblem(int offset, int line, int column, String sentence) {

  static FilterProblem at(String text, int offset, String sentence) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < offset; i++) {
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    return new FilterProblem(offset, line, offset - lineStart + 1, sentence);
  }

  /** A problem without a place. */
  static FilterProblem ofWhole(String sentence) {
    return new FilterProblem(0, 0, 0, sentence);
  }

  @Override
  public String toString() {
    return line == 0 ? sentence : "line " + line + ", column " + column + ": " + sentence;
  }
}
