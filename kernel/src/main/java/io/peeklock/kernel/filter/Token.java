package io.peeklock.kernel.filter;

/**
 * A token of a filter or action.
 *
 * @param text its text; without the quotes of a string or a quoted name
 * @param offset where it begins
 */
record Token(Kind kind, String text, int offset) {

  /** The kinds of tokens. Keywords are reserved words (S-334, S-337). */
  enum Kind {
    END("the end"),
    /** A plain identifier. */
    NAME("a name"),
    /** An identifier in brackets or double quotes: never a scope, a keyword or a function. */
    QUOTED_NAME("a name"),
    PARAMETER("a parameter"),
    STRING("a text"),
    WHOLE_NUMBER("a number"),
    NUMBER("a number"),
    DOT("."),
    COMMA(","),
    SEMICOLON(";"),
    OPEN("("),
    CLOSE(")"),
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    PLUS("+"),
    MINUS("-"),
    TIMES("*"),
    DIVIDE("/"),
    MODULO("%"),
    AND("AND"),
    OR("OR"),
    NOT("NOT"),
    IN("IN"),
    LIKE("LIKE"),
    ESCAPE("ESCAPE"),
    IS("IS"),
    NULL("NULL"),
    EXISTS("EXISTS"),
    TRUE("TRUE"),
    FALSE("FALSE"),
    /** A keyword in actions only. */
    SET("SET"),
    /** A keyword in actions only. */
    REMOVE("REMOVE");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Its name in sentences. */
    String words() {
      return words;
    }
  }

  /** The name of this token in sentences. */
  String described() {
    return switch (kind) {
      case NAME -> "the name " + text;
      case QUOTED_NAME -> "the name [" + text + "]";
      case PARAMETER -> "the parameter @" + text;
      case WHOLE_NUMBER, NUMBER -> "the number " + text;
      default -> kind.words();
    };
  }
}
