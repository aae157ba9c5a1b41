package io.peeklock.kernel.filter;

/** A compiled expression. */
interface Operand {

  /** Its value for the message; the caller must not change it. */
  FilterValue value(Evaluation evaluation);

  /** A constant or a parameter. */
  record Fixed(FilterValue value) implements Operand {
    @Override
    public FilterValue value(Evaluation evaluation) {
      return value;
    }
  }

  /** An application property. */
  record User(int slot) implements Operand {
    @Override
    public FilterValue value(Evaluation evaluation) {
      return evaluation.user(slot);
    }
  }

  /** A property of the message. */
  record Broker(int index) implements Operand {
    @Override
    public FilterValue value(Evaluation evaluation) {
      return evaluation.system(index);
    }
  }

  /** A property of the message that does not exist (S-346). */
  record Nowhere(String name) implements Operand {
    @Override
    public FilterValue value(Evaluation evaluation) {
      throw new EvaluationFailed("there is no system property sys." + name);
    }
  }

  /** The application property whose name is a computed text. */
  record Named(Operand name, int cell) implements Operand {
    @Override
    public FilterValue value(Evaluation evaluation) {
      FilterValue text = name.value(evaluation);
      if (text.isUnknown()) {
        return evaluation.cell(cell).setNull();
      }
      if (text.type() != ValueType.TEXT) {
        throw new EvaluationFailed("property() takes a text, not a value of type " + text.type());
      }
      return evaluation.user(text.text(), evaluation.cell(cell));
    }
  }

  /** A new GUID for each evaluation. */
  record New(int cell) implements Operand {
    @Override
    public FilterValue value(Evaluation evaluation) {
      evaluation.steps().spend(1);
      return evaluation.newId(evaluation.cell(cell));
    }
  }

  /** A sign before an operand. */
  record Sign(boolean negative, Operand operand, int cell) implements Operand {
    @Override
    public FilterValue value(Evaluation evaluation) {
      evaluation.steps().spend(1);
      FilterValue value = operand.value(evaluation);
      if (negative) {
        return Arithmetic.negate(value, evaluation.cell(cell));
      }
      if (!value.isUnknown()) {
        Arithmetic.requireNumber(value);
      }
      return value;
    }
  }

  /** Operators of one precedence; ends at the first unknown operand. */
  record Computed(ArithmeticOperator[] operators, Operand[] operands, int cell) implements Operand {
    @Override
    public FilterValue value(Evaluation evaluation) {
      FilterValue result = evaluation.cell(cell);
      FilterValue left = operands[0].value(evaluation);
      for (int i = 0; i < operators.length; i++) {
        if (left.isUnknown()) {
          return result.setNull();
        }
        FilterValue right = operands[i + 1].value(evaluation);
        evaluation.steps().spend(1);
        left = Arithmetic.apply(operators[i], left, right, result);
        evaluation.steps().spendOnCopying(left);
      }
      return left;
    }
  }
}
