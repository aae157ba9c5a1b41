package io.peeklock.kernel.filter;

import org.jspecify.annotations.Nullable;

/** A compiled predicate. */
interface Condition {

  /** Whether it holds for the message (S-347, S-348). */
  Truth test(Evaluation evaluation);

  /** All of several; ends at the first that is false. */
  record All(Condition[] conditions) implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      Truth result = Truth.TRUE;
      for (Condition condition : conditions) {
        Truth truth = condition.test(evaluation);
        if (truth == Truth.FALSE) {
          return Truth.FALSE;
        }
        if (truth == Truth.UNKNOWN) {
          result = Truth.UNKNOWN;
        }
      }
      return result;
    }
  }

  /** Any of several; ends at the first that is true. */
  record Any(Condition[] conditions) implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      Truth result = Truth.FALSE;
      for (Condition condition : conditions) {
        Truth truth = condition.test(evaluation);
        if (truth == Truth.TRUE) {
          return Truth.TRUE;
        }
        if (truth == Truth.UNKNOWN) {
          result = Truth.UNKNOWN;
        }
      }
      return result;
    }
  }

  record Inverse(Condition condition) implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      return condition.test(evaluation).not();
    }
  }

  record Compared(Relation relation, Operand left, Operand right) implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      evaluation.steps().spend(1);
      FilterValue one = left.value(evaluation);
      if (one.isUnknown()) {
        return Truth.UNKNOWN;
      }
      FilterValue other = right.value(evaluation);
      evaluation.steps().spendOnComparing(one, other);
      return Comparison.comparable(one, other)
          ? Truth.of(relation.holds(one, other))
          : Truth.UNKNOWN;
    }
  }

  record OneOf(Operand operand, Operand[] choices) implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      evaluation.steps().spend(1);
      FilterValue value = operand.value(evaluation);
      if (value.isUnknown()) {
        return Truth.UNKNOWN;
      }
      Truth result = Truth.FALSE;
      for (Operand choice : choices) {
        FilterValue other = choice.value(evaluation);
        evaluation.steps().spend(1);
        evaluation.steps().spendOnComparing(value, other);
        if (!Comparison.comparable(value, other)) {
          result = Truth.UNKNOWN;
        } else if (Comparison.equal(value, other)) {
          return Truth.TRUE;
        }
      }
      return result;
    }
  }

  /** LIKE with a constant pattern. */
  record FixedLike(Operand text, LikePattern pattern) implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      evaluation.steps().spend(1);
      FilterValue value = text.value(evaluation);
      if (value.isUnknown()) {
        return Truth.UNKNOWN;
      }
      LikePattern.requireText(value);
      return Truth.of(pattern.matches(value, evaluation.steps()));
    }
  }

  /** LIKE with a pattern that is computed for each message. */
  record ComputedLike(Operand text, Operand pattern, @Nullable Operand escape)
      implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      evaluation.steps().spend(1);
      FilterValue value = text.value(evaluation);
      FilterValue signs = pattern.value(evaluation);
      FilterValue escaping = escape == null ? null : escape.value(evaluation);
      if (value.isUnknown() || signs.isUnknown() || (escaping != null && escaping.isUnknown())) {
        return Truth.UNKNOWN;
      }
      LikePattern.requireText(value);
      if (escaping == null) {
        evaluation.steps().spendOnCopying(signs);
      } else {
        evaluation.steps().spendOnReading(signs);
      }
      return Truth.of(LikePattern.of(signs, escaping).matches(value, evaluation.steps()));
    }
  }

  record Absent(Operand property) implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      evaluation.steps().spend(1);
      return Truth.of(property.value(evaluation).isUnknown());
    }
  }

  /** Whether a property exists, even as null (S-350). */
  record Present(Operand property) implements Condition {
    @Override
    public Truth test(Evaluation evaluation) {
      evaluation.steps().spend(1);
      return Truth.of(property.value(evaluation).type() != ValueType.MISSING);
    }
  }
}
