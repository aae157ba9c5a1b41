package io.peeklock.kernel.filter;

import java.util.List;
import java.util.stream.Collectors;

/** Trees as text, with no more parentheses than the stated precedence needs (S-333). */
final class Written {
  private static final int OR = 1;
  private static final int AND = 2;
  private static final int NOT = 3;
  private static final int COMPARING = 4;
  private static final int SUM = 5;
  private static final int PRODUCT = 6;
  private static final int SIGN = 7;
  private static final int WORD = 8;

  private Written() {}

  static String text(Expression tree) {
    return switch (tree) {
      case Expression.Or or -> joined(or.operands(), " OR ", OR + 1);
      case Expression.And and -> joined(and.operands(), " AND ", AND + 1);
      case Expression.Not not -> "NOT " + in(not.operand(), NOT);
      case Expression.Comparing one ->
          in(one.left(), SUM) + " " + one.relation().sign() + " " + in(one.right(), SUM);
      case Expression.Like like ->
          in(like.text(), SUM)
              + (like.negated() ? " NOT LIKE " : " LIKE ")
              + in(like.pattern(), SUM)
              + (like.escape() == null ? "" : " ESCAPE " + in(like.escape(), SUM));
      case Expression.In in ->
          in(in.operand(), SUM)
              + (in.negated() ? " NOT IN (" : " IN (")
              + joined(in.choices(), ", ", SUM)
              + ")";
      case Expression.IsNull isNull ->
          text(isNull.property()) + (isNull.negated() ? " IS NOT NULL" : " IS NULL");
      case Expression.Exists exists -> "EXISTS(" + text(exists.property()) + ")";
      case Expression.Chain chain -> chain(chain);
      case Expression.Signed signed -> (signed.negative() ? "-" : "+") + in(signed.operand(), SIGN);
      case Expression.Constant constant -> constant(constant.value());
      case Expression.Parameter parameter -> "@" + parameter.name();
      case Expression.UserProperty user -> name(user.name().text());
      case Expression.BrokerProperty broker -> "sys." + name(broker.name());
      case Expression.NamedProperty named -> "property(" + in(named.name(), SUM) + ")";
      case Expression.NewId newId -> "newid()";
    };
  }

  private static String chain(Expression.Chain chain) {
    int binding = binding(chain);
    var text = new StringBuilder(in(chain.operands().getFirst(), binding + 1));
    for (int i = 0; i < chain.operators().size(); i++) {
      text.append(' ').append(chain.operators().get(i).sign()).append(' ');
      text.append(in(chain.operands().get(i + 1), binding + 1));
    }
    return text.toString();
  }

  private static String joined(List<Expression> trees, String separator, int binding) {
    return trees.stream().map(tree -> in(tree, binding)).collect(Collectors.joining(separator));
  }

  private static String in(Expression tree, int least) {
    return binding(tree) < least ? "(" + text(tree) + ")" : text(tree);
  }

  private static int binding(Expression tree) {
    return switch (tree) {
      case Expression.Or or -> OR;
      case Expression.And and -> AND;
      case Expression.Not not -> NOT;
      case Expression.Exists exists -> WORD;
      case Expression.Predicate predicate -> COMPARING;
      case Expression.Chain chain ->
          chain.operators().getFirst() == ArithmeticOperator.PLUS
                  || chain.operators().getFirst() == ArithmeticOperator.MINUS
              ? SUM
              : PRODUCT;
      case Expression.Signed signed -> SIGN;
      default -> WORD;
    };
  }

  private static String constant(FilterValue value) {
    return switch (value.type()) {
      case TEXT -> "'" + value.text().replace("'", "''") + "'";
      case BOOLEAN -> value.truth() ? "TRUE" : "FALSE";
      case DOUBLE -> Double.toString(value.asDouble());
      default -> Long.toString(value.whole());
    };
  }

  private static String name(String name) {
    return Lexer.isPlain(name) ? name : "[" + name.replace("]", "]]") + "]";
  }
}
