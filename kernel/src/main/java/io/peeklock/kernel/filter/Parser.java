package io.peeklock.kernel.filter;

import io.peeklock.kernel.filter.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parses a text to a tree by precedence: each operator takes what binds tighter than itself
 * (S-333). {@link Operands} parses the operands.
 */
final class Parser {
  static final int ANYTHING = 0;
  private static final int OR = 1;
  private static final int AND = 2;
  static final int NOT = 3;
  static final int COMPARING = 4;
  private static final int SUM = 5;
  private static final int PRODUCT = 6;
  static final int SIGN = 7;

  private final Lexer lexer;
  private final FilterLimits limits;
  private final Operands operands;
  private Token token;
  private int depth;
  private int parts;

  Parser(String text, boolean action, Parameters parameters, FilterLimits limits) {
    if (text.length() > limits.maxCharacters()) {
      throw new Refused(
          limits.maxCharacters(),
          "the text has " + text.length() + " characters, at most " + limits.maxCharacters());
    }
    this.lexer = new Lexer(text, action);
    this.limits = limits;
    this.operands = new Operands(this, parameters);
    this.token = lexer.next();
  }

  /** The whole text as the condition of a filter. */
  Expression.Predicate filter() {
    Expression.Predicate condition = condition(ANYTHING);
    require(Kind.END);
    return condition;
  }

  /** The whole text as the statements of an action. */
  List<Statement> statements() {
    var statements = new ArrayList<Statement>();
    do {
      if (statements.size() == limits.maxStatements()) {
        throw refused("an action has at most " + limits.maxStatements() + " statements");
      }
      statements.add(statement());
      if (token.kind() == Kind.SEMICOLON || token.kind() == Kind.COMMA) {
        advance();
      }
    } while (token.kind() != Kind.END);
    return List.copyOf(statements);
  }

  private Statement statement() {
    if (token.kind() == Kind.REMOVE) {
      advance();
      return new Statement.Remove(target());
    }
    take(Kind.SET);
    Expression target = target();
    take(Kind.EQUAL);
    return new Statement.Set(target, value(COMPARING));
  }

  private Expression target() {
    int start = token.offset();
    Expression target = operands.property();
    if (target instanceof Expression.BrokerProperty sys
        && sys.property() != null
        && sys.property().settable() == null) {
      throw new Refused(start, "an action cannot change sys." + sys.name());
    }
    return target;
  }

  /** Parses a predicate up to an operator that binds no tighter. */
  Expression.Predicate condition(int binding) {
    int start = token.offset();
    return requireCondition(parse(binding), start);
  }

  /** Parses a value up to an operator that binds no tighter. */
  Expression value(int binding) {
    int start = token.offset();
    return requireValue(parse(binding), start);
  }

  Expression parse(int binding) {
    int start = token.offset();
    Expression left = operands.next();
    while (binding(token.kind()) > binding) {
      left = operation(left, start);
    }
    return left;
  }

  /** The precedence of a binary operator; the lowest for other tokens. */
  private static int binding(Kind kind) {
    return switch (kind) {
      case OR -> OR;
      case AND -> AND;
      case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> COMPARING;
      case IS, IN, LIKE, NOT -> COMPARING;
      case PLUS, MINUS -> SUM;
      case TIMES, DIVIDE, MODULO -> PRODUCT;
      default -> ANYTHING;
    };
  }

  private Expression operation(Expression left, int start) {
    countPart();
    return switch (token.kind()) {
      case OR -> new Expression.Or(conditions(left, start, Kind.OR, OR));
      case AND -> new Expression.And(conditions(left, start, Kind.AND, AND));
      case PLUS, MINUS -> chain(requireValue(left, start), SUM);
      case TIMES, DIVIDE, MODULO -> chain(requireValue(left, start), PRODUCT);
      case IS -> isNull(left, start);
      case IN, LIKE, NOT -> inOrLike(requireValue(left, start));
      default -> {
        Relation relation = Relation.valueOf(advance().kind().name());
        yield new Expression.Comparing(relation, requireValue(left, start), value(COMPARING));
      }
    };
  }

  private List<Expression> conditions(Expression first, int start, Kind operator, int binding) {
    var conditions = new ArrayList<Expression>();
    conditions.add(requireCondition(first, start));
    while (token.kind() == operator) {
      advance();
      conditions.add(condition(binding));
    }
    return conditions;
  }

  private Expression chain(Expression first, int binding) {
    var operators = new ArrayList<ArithmeticOperator>();
    var values = new ArrayList<Expression>();
    values.add(first);
    while (binding(token.kind()) == binding) {
      operators.add(ArithmeticOperator.valueOf(advance().kind().name()));
      values.add(value(binding));
    }
    return new Expression.Chain(operators, values);
  }

  private Expression isNull(Expression left, int start) {
    advance();
    boolean negated = takeIf(Kind.NOT);
    take(Kind.NULL);
    if (!Operands.isProperty(left)) {
      throw new Refused(start, "IS NULL asks about a property");
    }
    return new Expression.IsNull(negated, left);
  }

  private Expression inOrLike(Expression left) {
    boolean negated = takeIf(Kind.NOT);
    if (takeIf(Kind.IN)) {
      take(Kind.OPEN);
      List<Expression> choices = enclosed(this::choices);
      take(Kind.CLOSE);
      return new Expression.In(negated, left, choices);
    }
    if (token.kind() != Kind.LIKE) {
      throw refused("IN or LIKE is expected behind NOT, not " + token.described());
    }
    return like(left, negated);
  }

  private List<Expression> choices() {
    var choices = new ArrayList<Expression>();
    do {
      choices.add(value(COMPARING));
    } while (takeIf(Kind.COMMA));
    return choices;
  }

  private Expression like(Expression left, boolean negated) {
    advance();
    int start = token.offset();
    Expression pattern = value(COMPARING);
    Expression escape = takeIf(Kind.ESCAPE) ? value(COMPARING) : null;
    try {
      Operands.constantPattern(pattern, escape);
    } catch (EvaluationFailed failed) {
      throw new Refused(start, EvaluationFailed.sentence(failed));
    }
    return new Expression.Like(negated, left, pattern, escape);
  }

  private static Expression requireValue(Expression expression, int start) {
    if (expression instanceof Expression.Predicate) {
      throw new Refused(start, "a value is needed here, and this is a condition");
    }
    return expression;
  }

  private static Expression.Predicate requireCondition(Expression expression, int start) {
    if (expression instanceof Expression.Predicate condition) {
      return condition;
    }
    throw new Refused(
        start, "a condition is needed here, and this is a value; compare it, as in x = TRUE");
  }

  /** Parses nested content, one level deeper. */
  <T> T enclosed(Supplier<T> content) {
    if (++depth > limits.maxDepth()) {
      throw refused("the text nests deeper than " + limits.maxDepth() + " levels");
    }
    T inside = content.get();
    depth--;
    return inside;
  }

  void countPart() {
    if (++parts > limits.maxParts()) {
      throw refused("the text has more than " + limits.maxParts() + " parts");
    }
  }

  Token token() {
    return token;
  }

  /** Moves to the next token, and returns the one before. */
  Token advance() {
    Token before = token;
    token = lexer.next();
    return before;
  }

  boolean takeIf(Kind kind) {
    boolean there = token.kind() == kind;
    if (there) {
      advance();
    }
    return there;
  }

  Token take(Kind kind) {
    require(kind);
    return advance();
  }

  private void require(Kind kind) {
    if (token.kind() != kind) {
      throw refused(kind.words() + " is expected, not " + token.described());
    }
  }

  Refused refused(String sentence) {
    return new Refused(token.offset(), sentence);
  }

  /** A word in the form for look-ups, independent of case. */
  static String folded(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  /** The value of a constant or parameter, null for anything else. */
  static @Nullable FilterValue constant(@Nullable Expression expression) {
    if (expression instanceof Expression.Constant constant) {
      return constant.value();
    }
    return expression instanceof Expression.Parameter parameter ? parameter.value() : null;
  }
}
