package io.peeklock.kernel.filter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A compiled action, applied to one message after another. Its statements read the message as
 * changed so far (S-364). Not thread-safe.
 */
public final class ActionRun {
  private static final PropertyChanges NO_CHANGES = new PropertyChanges();

  private final Step[] steps;
  private final Evaluation evaluation;
  private final Changed subject = new Changed();

  /** A compiled statement; without a value it removes. */
  private record Step(Expression target, @Nullable Operand value) {}

  /** A message with the changes so far. */
  private static final class Changed implements FilterSubject {
    private @Nullable FilterSubject message;
    private PropertyChanges changes = NO_CHANGES;

    @Override
    public int readCost() {
      return message == null ? 1 : message.readCost();
    }

    @Override
    public void system(SystemProperty property, FilterValue into) {
      FilterValue changed = changes.of(property);
      if (changed != null) {
        into.set(changed);
      } else if (message != null) {
        message.system(property, into);
      }
    }

    @Override
    public void user(PropertyName name, FilterValue into) {
      FilterValue changed = changes.of(name);
      if (changed != null) {
        into.set(changed);
      } else if (message != null) {
        message.user(name, into);
      }
    }
  }

  ActionRun(List<Statement> statements) {
    Slots slots = new Slots();
    Compiler compiler = new Compiler(slots);
    this.steps =
        statements.stream()
            .map(
                statement ->
                    switch (statement) {
                      case Statement.Set set ->
                          new Step(set.target(), compiler.operand(set.value()));
                      case Statement.Remove remove -> new Step(remove.target(), null);
                    })
            .toArray(Step[]::new);
    this.evaluation = new Evaluation(slots);
  }

  /**
   * Applies the action to a message. Each statement sees the changes of those before it (S-364).
   *
   * @param seed the seed of {@code newid()}
   * @param into cleared, then filled
   * @param budget the budget of the message, shared by all its actions
   * @return null on success; otherwise why it failed, and then the changes must not be used
   */
  public @Nullable String apply(
      FilterSubject message, long seed, PropertyChanges into, ActionBudget budget) {
    into.clear();
    subject.message = message;
    subject.changes = into;
    evaluation.steps().allow(budget.steps.next());
    try {
      run(seed, budget.bytes.next());
      budget.bytes.take(into.bytes());
      return null;
    } catch (RuntimeException failure) { // also our own fault, which fails only this copy
      return EvaluationFailed.sentence(failure);
    } finally {
      budget.steps.take(evaluation.steps().taken());
      subject.message = null;
      subject.changes = NO_CHANGES;
    }
  }

  private void run(long seed, long mostBytes) {
    long next = seed;
    for (Step step : steps) {
      change(step.target(), step.value() == null ? new FilterValue() : value(step.value(), next));
      next += step.value() == null ? 0 : 1;
      evaluation.steps().spend(steps.length); // each change is searched among the others
      if (subject.changes.bytes() > mostBytes) {
        throw new EvaluationFailed("the action makes more than " + mostBytes + " bytes");
      }
    }
  }

  private FilterValue value(Operand operand, long seed) {
    evaluation.begin(subject, seed);
    FilterValue value;
    try {
      value = operand.value(evaluation).copy();
    } finally {
      evaluation.end();
    }
    evaluation.steps().spendOnCopying(value);
    if (value.type() == ValueType.OTHER) {
      throw new EvaluationFailed("a list, map or array cannot be set");
    }
    // an unknown value is stored as null, and does not remove the property
    return value.isUnknown() ? value.setNull() : value;
  }

  private void change(Expression target, FilterValue value) {
    if (target instanceof Expression.UserProperty user) {
      changeUser(user.name(), value);
    } else if (target instanceof Expression.BrokerProperty broker) {
      if (broker.property() == null) {
        throw new EvaluationFailed("there is no system property sys." + broker.name());
      }
      changeSystem(broker.property(), value);
    }
  }

  private void changeUser(PropertyName name, FilterValue value) {
    var before = new FilterValue();
    subject.user(name, before);
    evaluation.steps().spend(subject.readCost());
    Conversion.adapt(value, before.type());
    subject.changes.set(name, value);
  }

  private void changeSystem(SystemProperty property, FilterValue value) {
    if (value.isUnknown()) {
      subject.changes.set(property, value.setMissing());
      return;
    }
    ValueType type = property.settable();
    if (type == ValueType.TEXT) {
      Conversion.adapt(value, type);
    }
    if (value.type() != type) {
      throw new EvaluationFailed(
          "sys." + property.sqlName() + " cannot hold a value of type " + value.type());
    }
    if (type == ValueType.DURATION && value.ticks() <= 0) {
      throw new EvaluationFailed("sys." + property.sqlName() + " must be longer than nothing");
    }
    int most = property.maxCharacters();
    if (most > 0 && value.text().length() > most) {
      throw new EvaluationFailed(
          "sys." + property.sqlName() + " has at most " + most + " characters");
    }
    subject.changes.set(property, value);
  }
}
