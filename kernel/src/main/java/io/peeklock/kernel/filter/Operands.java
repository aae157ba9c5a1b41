package io.peeklock.kernel.filter;

import io.peeklock.kernel.filter.Token.Kind;
import org.jspecify.annotations.Nullable;

/** Parses operands: constants, properties, functions, and expressions with a prefix. */
final class Operands {
  private static final String JUST_BEYOND = "9223372036854775808";

  private final Parser parser;
  private final Parameters parameters;

  Operands(Parser parser, Parameters parameters) {
    this.parser = parser;
    this.parameters = parameters;
  }

  Expression next() {
    parser.countPart();
    Token token = parser.token();
    return switch (token.kind()) {
      case NAME, QUOTED_NAME -> nameOrFunction();
      case PARAMETER -> parameter();
      case STRING -> constant(FilterValue.of(token.text()));
      case WHOLE_NUMBER -> constant(whole(token.text()));
      case NUMBER -> constant(fraction(token));
      case TRUE -> constant(FilterValue.of(true));
      case FALSE -> constant(FilterValue.of(false));
      case NULL -> constant(FilterValue.ofNull());
      case EXISTS -> exists();
      case NOT -> not();
      case PLUS, MINUS -> signed();
      case OPEN -> parentheses();
      default -> throw parser.refused("something is missing before " + token.described());
    };
  }

  private Expression constant(FilterValue value) {
    parser.advance();
    return new Expression.Constant(value);
  }

  private FilterValue whole(String digits) {
    try {
      return FilterValue.of(Long.parseLong(digits));
    } catch (NumberFormatException tooLarge) {
      throw parser.refused("a whole number is at most " + Long.MAX_VALUE);
    }
  }

  private FilterValue fraction(Token token) {
    double number = Double.parseDouble(token.text());
    if (Double.isInfinite(number)) {
      throw parser.refused("a number is at most " + Double.MAX_VALUE);
    }
    return FilterValue.of(number);
  }

  private Expression parameter() {
    String name = parser.token().text();
    FilterValue value = parameters.named(name);
    if (value == null) {
      throw parser.refused("the parameter @" + name + " has no value");
    }
    parser.advance();
    return new Expression.Parameter(name, value);
  }

  private Expression exists() {
    parser.advance();
    parser.take(Kind.OPEN);
    Token first = parser.token();
    if (first.kind() != Kind.NAME && first.kind() != Kind.QUOTED_NAME) {
      throw new Refused(first.offset(), "EXISTS asks about a property");
    }
    Expression property = nameOrFunction();
    if (!isProperty(property)) {
      throw new Refused(first.offset(), "EXISTS asks about a property");
    }
    parser.take(Kind.CLOSE);
    return new Expression.Exists(property);
  }

  private Expression not() {
    parser.advance();
    return new Expression.Not(parser.enclosed(() -> parser.condition(Parser.NOT)));
  }

  private Expression signed() {
    boolean negative = parser.advance().kind() == Kind.MINUS;
    Token token = parser.token();
    if (negative && token.kind() == Kind.WHOLE_NUMBER && token.text().equals(JUST_BEYOND)) {
      return constant(FilterValue.of(Long.MIN_VALUE)); // has no positive counterpart
    }
    return new Expression.Signed(negative, parser.enclosed(() -> parser.value(Parser.SIGN)));
  }

  private Expression parentheses() {
    parser.advance();
    Expression inside = parser.enclosed(() -> parser.parse(Parser.ANYTHING));
    parser.take(Kind.CLOSE);
    return inside;
  }

  private Expression nameOrFunction() {
    Token name = parser.advance();
    if (name.kind() == Kind.NAME && parser.token().kind() == Kind.OPEN) {
      return function(name);
    }
    return property(name);
  }

  /** Parses a property where nothing else is allowed. */
  Expression property() {
    Token name = parser.token();
    if (name.kind() != Kind.NAME && name.kind() != Kind.QUOTED_NAME) {
      throw parser.refused("a property is expected, not " + name.described());
    }
    parser.countPart();
    parser.advance();
    return property(name);
  }

  private Expression property(Token first) {
    if (!parser.takeIf(Kind.DOT)) {
      return new Expression.UserProperty(new PropertyName(first.text()));
    }
    String scope = first.kind() == Kind.NAME ? Parser.folded(first.text()) : "";
    if (!scope.equals("sys") && !scope.equals("user")) {
      throw new Refused(
          first.offset(), "before a dot stands sys or user; a name with a dot needs brackets");
    }
    Token name = parser.token();
    if (name.kind() != Kind.NAME && name.kind() != Kind.QUOTED_NAME) {
      throw parser.refused("a property is expected, not " + name.described());
    }
    parser.advance();
    return scope.equals("user")
        ? new Expression.UserProperty(new PropertyName(name.text()))
        : new Expression.BrokerProperty(name.text(), SystemProperty.named(name.text()));
  }

  private Expression function(Token name) {
    parser.advance();
    Expression call =
        switch (Parser.folded(name.text())) {
          case "newid" -> new Expression.NewId();
          case "p", "property" ->
              new Expression.NamedProperty(parser.enclosed(() -> parser.value(Parser.COMPARING)));
          default ->
              throw new Refused(
                  name.offset(),
                  "there is no function " + name.text() + ", only newid, property and p");
        };
    parser.take(Kind.CLOSE);
    return call;
  }

  static boolean isProperty(Expression expression) {
    return expression instanceof Expression.UserProperty
        || expression instanceof Expression.BrokerProperty
        || expression instanceof Expression.NamedProperty;
  }

  /** The pattern of LIKE when text and escape are constants; else null. */
  static @Nullable LikePattern constantPattern(Expression pattern, @Nullable Expression escape) {
    FilterValue text = Parser.constant(pattern);
    FilterValue sign = Parser.constant(escape);
    if (sign != null && !sign.isUnknown()) {
      LikePattern.requireEscape(sign);
    }
    boolean ready = escape == null || (sign != null && !sign.isUnknown());
    if (text == null || text.isUnknown() || !ready) {
      return null;
    }
    return LikePattern.of(text, sign);
  }
}
