package io.peeklock.kernel.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What binds tighter than what, in single cases and for trees made at random. */
class PrecedenceTest {

  @ParameterizedTest(name = "{0} means {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
      a = 1 OR b = 2 AND c = 3        | (a = 1) OR ((b = 2) AND (c = 3))
      a = 1 AND b = 2 OR c = 3        | ((a = 1) AND (b = 2)) OR (c = 3)
      NOT a = 1 AND b = 2             | (NOT (a = 1)) AND (b = 2)
      NOT a = 1 OR b = 2              | (NOT (a = 1)) OR (b = 2)
      NOT NOT a = 1                   | NOT (NOT (a = 1))
      NOT a IS NULL                   | NOT (a IS NULL)
      NOT a LIKE 'x' AND b IN (1)     | (NOT (a LIKE 'x')) AND (b IN (1))
      a + b * c = d                   | (a + (b * c)) = d
      a * b + c = d                   | ((a * b) + c) = d
      a = b + c * d                   | a = (b + (c * d))
      a - b % c > d / e               | (a - (b % c)) > (d / e)
      -a * b = c                      | ((-a) * b) = c
      -a + b = c                      | ((-a) + b) = c
      a - -b = c                      | (a - (-b)) = c
      a LIKE b + c ESCAPE d + e       | a LIKE (b + c) ESCAPE (d + e)
      a + b NOT LIKE c AND d = e      | ((a + b) NOT LIKE c) AND (d = e)
      a + b IN (c - d, e)             | (a + b) IN ((c - d), e)
      a + b NOT IN (c) OR d = e       | ((a + b) NOT IN (c)) OR (d = e)
      EXISTS(a) AND b = c OR d = e    | (EXISTS(a) AND (b = c)) OR (d = e)
      """)
  @Rule("S-333")
  void whatBindsTighter(String text, String meaning) {
    assertThat(Filters.sql(text).condition()).isEqualTo(Filters.sql(meaning).condition());
  }

  @ParameterizedTest(name = "{0} is not {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
      a - b - c = d   | a - (b - c) = d
      a / b * c = d   | a / (b * c) = d
      a * b + c = d   | a * (b + c) = d
      """)
  @Rule("S-333")
  void operatorsOfOneKindGoFromLeftToRight(String text, String other) {
    assertThat(Filters.sql(text).condition()).isNotEqualTo(Filters.sql(other).condition());
  }

  @RepeatedTest(200)
  @Rule({"S-331", "S-332", "S-333"})
  void aTreeWrittenWithFewParenthesesIsReadBack(RepetitionInfo info) {
    var trees = new Trees(new Random(info.getCurrentRepetition()));
    for (int i = 0; i < 25; i++) {
      Expression.Predicate tree = trees.condition(3);
      String text = Written.text(tree);

      var read =
          SqlFilter.parse(
              text, SampleMessage.parameters(), new FilterLimits(65_536, 64, 10_000, 1));

      assertThat(Filters.problem(read)).as(text).isEqualTo("none");
      assertThat(Filters.done(read).condition()).as(text).isEqualTo(tree);
    }
  }

  /** Makes trees of every shape. */
  private static final class Trees {
    private static final String[] NAMES = {"a", "[b c]", "set", "AND", "p", "sys", "größe", "a]b"};
    private final Random random;

    Trees(Random random) {
      this.random = random;
    }

    Expression.Predicate condition(int depth) {
      return switch (random.nextInt(depth == 0 ? 5 : 8)) {
        case 0, 1 -> new Expression.Comparing(pick(Relation.values()), value(depth), value(depth));
        case 2 ->
            new Expression.Like(
                random.nextBoolean(), value(depth), text(), random.nextBoolean() ? null : escape());
        case 3 -> new Expression.In(random.nextBoolean(), value(depth), values(depth));
        case 4 ->
            random.nextBoolean()
                ? new Expression.IsNull(random.nextBoolean(), property())
                : new Expression.Exists(property());
        case 5 -> new Expression.Not(condition(depth - 1));
        case 6 -> new Expression.And(conditions(depth));
        default -> new Expression.Or(conditions(depth));
      };
    }

    private List<Expression> conditions(int depth) {
      var conditions = new ArrayList<Expression>();
      for (int i = random.nextInt(2); i < 3; i++) {
        conditions.add(condition(depth - 1));
      }
      return conditions;
    }

    private List<Expression> values(int depth) {
      var values = new ArrayList<Expression>();
      for (int i = random.nextInt(3); i < 3; i++) {
        values.add(value(depth));
      }
      return values;
    }

    private Expression value(int depth) {
      return switch (random.nextInt(depth == 0 ? 5 : 8)) {
        case 0 -> number();
        case 1 -> text();
        case 2 -> new Expression.Constant(FilterValue.of(random.nextBoolean()));
        case 3, 4 -> property();
        case 5 -> new Expression.Signed(random.nextBoolean(), value(depth - 1));
        case 6 -> chain(depth, ArithmeticOperator.PLUS, ArithmeticOperator.MINUS);
        default ->
            chain(
                depth,
                ArithmeticOperator.TIMES,
                ArithmeticOperator.DIVIDE,
                ArithmeticOperator.MODULO);
      };
    }

    private Expression chain(int depth, ArithmeticOperator... operators) {
      var signs = new ArrayList<ArithmeticOperator>();
      List<Expression> operands = new ArrayList<>();
      operands.add(value(depth - 1));
      for (int i = random.nextInt(2); i < 2; i++) {
        signs.add(pick(operators));
        operands.add(value(depth - 1));
      }
      return new Expression.Chain(signs, operands);
    }

    private Expression number() {
      return new Expression.Constant(
          random.nextBoolean()
              ? FilterValue.of(random.nextLong(Long.MAX_VALUE))
              : FilterValue.of(random.nextDouble() * 1e20));
    }

    private Expression text() {
      return new Expression.Constant(FilterValue.of(pick("", "x%", "it's", "ä_😀", "\n")));
    }

    private Expression escape() {
      return random.nextBoolean()
          ? new Expression.Constant(FilterValue.of("!"))
          : new Expression.Parameter("none", FilterValue.ofNull());
    }

    private Expression property() {
      return switch (random.nextInt(4)) {
        case 0 -> new Expression.BrokerProperty("To", SystemProperty.TO);
        case 1 -> new Expression.BrokerProperty("no where", null);
        case 2 -> new Expression.NamedProperty(value(0));
        default -> new Expression.UserProperty(new PropertyName(pick(NAMES)));
      };
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
      return choices[random.nextInt(choices.length)];
    }
  }
}
