package io.peeklock.kernel.filter;

import io.peeklock.kernel.filter.Token.Kind;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Splits a filter or an action into tokens, one at a time. */
final class Lexer {
  private static final Map<String, Kind> KEYWORDS = keywords();

  private final String text;
  private final boolean action;
  private int at;

  Lexer(String text, boolean action) {
    this.text = text;
    this.action = action;
  }

  private static Map<String, Kind> keywords() {
    var map = new TreeMap<String, Kind>();
    for (Kind kind : Kind.values()) {
      if (kind.compareTo(Kind.AND) >= 0) {
        map.put(kind.words(), kind);
      }
    }
    return map;
  }

  /** Whether a name needs no brackets (S-337). */
  static boolean isPlain(String name) {
    if (name.isEmpty() || !Character.isLetter(name.codePointAt(0))) {
      return false;
    }
    return name.codePoints().allMatch(Lexer::isNamePart) && keyword(name) == Kind.NAME;
  }

  /** The keyword of a word, or a name. */
  private static Kind keyword(String word) {
    // ASCII only: the capital of the Turkish dotless i is an I
    return word.codePoints().allMatch(c -> c < 128)
        ? KEYWORDS.getOrDefault(word.toUpperCase(Locale.ROOT), Kind.NAME)
        : Kind.NAME;
  }

  Token next() {
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
    if (at == text.length()) {
      return new Token(Kind.END, "", at);
    }
    int start = at;
    char first = text.charAt(at);
    return switch (first) {
      case '\'' -> new Token(Kind.STRING, delimited('\'', "a text"), start);
      case '"' -> new Token(Kind.QUOTED_NAME, name('"'), start);
      case '[' -> new Token(Kind.QUOTED_NAME, name(']'), start);
      case '@' -> parameter();
      case '.' -> isDigit(at + 1) ? number() : sign(Kind.DOT, 1);
      default -> isDigit(at) ? number() : isLetter(at) ? word() : sign();
    };
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  private boolean isDigit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private boolean isLetter(int index) {
    return index < text.length() && Character.isLetter(text.codePointAt(index));
  }

  private static boolean isNamePart(int codePoint) {
    return codePoint == '_' || Character.isLetter(codePoint) || Character.isDigit(codePoint);
  }

  private Token word() {
    int start = at;
    String word = nameParts();
    Kind kind = keyword(word);
    if (!action && (kind == Kind.SET || kind == Kind.REMOVE)) {
      kind = Kind.NAME;
    }
    return new Token(kind, word, start);
  }

  private String nameParts() {
    int start = at;
    while (at < text.length() && isNamePart(text.codePointAt(at))) {
      at += Character.charCount(text.codePointAt(at));
    }
    return text.substring(start, at);
  }

  private Token parameter() {
    int start = at++;
    String name = nameParts();
    if (name.isEmpty()) {
      throw new Refused(start, "a parameter needs a name behind the @");
    }
    return new Token(Kind.PARAMETER, name, start);
  }

  private String name(char close) {
    int start = at;
    String name = delimited(close, "a name");
    if (name.isEmpty()) {
      throw new Refused(start, "a name is empty");
    }
    return name;
  }

  /** The text between two delimiters; a doubled closing one stands for itself. */
  private String delimited(char close, String what) {
    int start = at++;
    var content = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != close) {
        content.append(c);
      } else if (at < text.length() && text.charAt(at) == close) {
        content.append(close);
        at++;
      } else {
        return content.toString();
      }
    }
    throw new Refused(start, what + " that begins here has no end: " + close + " is missing");
  }

  private Token number() {
    int start = at;
    digits();
    boolean whole = true;
    if (at < text.length() && text.charAt(at) == '.') {
      whole = false;
      at++;
      digits();
    }
    if (at < text.length() && (text.charAt(at) | 32) == 'e') {
      whole = false;
      exponent(start);
    }
    if (isLetter(at) || (at < text.length() && text.charAt(at) == '_')) {
      throw new Refused(at, "a number ends before " + text.charAt(at) + "; put a blank between");
    }
    return new Token(whole ? Kind.WHOLE_NUMBER : Kind.NUMBER, text.substring(start, at), start);
  }

  private void exponent(int start) {
    at++;
    if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
      at++;
    }
    if (!isDigit(at)) {
      throw new Refused(start, "the exponent of a number has no digits");
    }
    digits();
  }

  private void digits() {
    while (isDigit(at)) {
      at++;
    }
  }

  private Token sign() {
    char second = at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    return switch (text.charAt(at)) {
      case ',' -> sign(Kind.COMMA, 1);
      case ';' -> sign(Kind.SEMICOLON, 1);
      case '(' -> sign(Kind.OPEN, 1);
      case ')' -> sign(Kind.CLOSE, 1);
      case '+' -> sign(Kind.PLUS, 1);
      case '-' -> sign(Kind.MINUS, 1);
      case '*' -> sign(Kind.TIMES, 1);
      case '/' -> sign(Kind.DIVIDE, 1);
      case '%' -> sign(Kind.MODULO, 1);
      case '=' -> sign(Kind.EQUAL, 1);
      case '<' ->
          second == '>'
              ? sign(Kind.NOT_EQUAL, 2)
              : second == '=' ? sign(Kind.LESS_OR_EQUAL, 2) : sign(Kind.LESS, 1);
      case '>' -> second == '=' ? sign(Kind.GREATER_OR_EQUAL, 2) : sign(Kind.GREATER, 1);
      case '!' -> second == '=' ? sign(Kind.NOT_EQUAL, 2) : nothing();
      default -> nothing();
    };
  }

  private Token nothing() {
    throw new Refused(at, "nothing begins with " + shown(text.codePointAt(at)));
  }

  private static String shown(int codePoint) {
    return Character.isISOControl(codePoint)
        ? "the control character " + codePoint
        : Character.toString(codePoint);
  }

  private Token sign(Kind kind, int length) {
    int start = at;
    at += length;
    return new Token(kind, kind.words(), start);
  }
}
