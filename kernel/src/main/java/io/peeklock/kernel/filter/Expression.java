package io.peeklock.kernel.filter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a filter or of an expression in an action. Chains of one operator are one node with
 * many operands, so that the tree is never deeper than its text nests.
 */
sealed interface Expression {

  /** An expression with a truth instead of a value: the two are never mixed. */
  sealed interface Predicate extends Expression {}

  /** A literal. */
  record Constant(FilterValue value) implements Expression {}

  /** A parameter with its typed value. */
  record Parameter(String name, FilterValue value) implements Expression {}

  /** An application property. */
  record UserProperty(PropertyName name) implements Expression {
    // compares spellings, which matter for printing
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof UserProperty that && name.text().equals(that.name.text());
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /**
   * A property of the message.
   *
   * @param property null for an unknown name, whose evaluation fails (S-346)
   */
  record BrokerProperty(String name, @Nullable SystemProperty property) implements Expression {}

  /** {@code property(name)}: the application property whose name is a computed text. */
  record NamedProperty(Expression name) implements Expression {}

  /** {@code newid()}. */
  record NewId() implements Expression {}

  /** {@code -x} or {@code +x}. */
  record Signed(boolean negative, Expression operand) implements Expression {}

  /** Operands of one precedence, from left to right: operator i precedes operand i + 1. */
  record Chain(List<ArithmeticOperator> operators, List<Expression> operands)
      implements Expression {
    public Chain {
      operators = List.copyOf(operators);
      operands = List.copyOf(operands);
    }
  }

  record Comparing(Relation relation, Expression left, Expression right) implements Predicate {}

  /** {@code x [NOT] LIKE pattern [ESCAPE c]}. */
  record Like(boolean negated, Expression text, Expression pattern, @Nullable Expression escape)
      implements Predicate {}

  /** {@code x [NOT] IN (…)}. */
  record In(boolean negated, Expression operand, List<Expression> choices) implements Predicate {
    public In {
      choices = List.copyOf(choices);
    }
  }

  /** {@code property IS [NOT] NULL}. */
  record IsNull(boolean negated, Expression property) implements Predicate {}

  /** {@code EXISTS(property)}. */
  record Exists(Expression property) implements Predicate {}

  record Not(Expression operand) implements Predicate {}

  record And(List<Expression> operands) implements Predicate {
    public And {
      operands = List.copyOf(operands);
    }
  }

  record Or(List<Expression> operands) implements Predicate {
    public Or {
      operands = List.copyOf(operands);
    }
  }
}
