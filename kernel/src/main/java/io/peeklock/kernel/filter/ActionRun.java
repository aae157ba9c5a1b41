package io.peeklock.kernel.filter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An action made ready once, to work on one message after the other. The message as changed so far
 * is what its statements read (S-364). Not for two threads.
 */
public final class ActionRun {
  private static final PropertyChanges NO_CHANGES = new PropertyChanges();

  private final Step[] steps;
  private final Evaluation evaluation;
  private final Changed subject = new Changed();

  /** A statement, ready; without a value it removes. */
  private record Step(Expression target, @Nullable Operand value) {}

  /** A message, and what was changed of it so far. */
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
   * Says what the action makes of a message. Each statement sees what those before it did (S-364).
   *
   * @param seed what {@code newid()} is made of
   * @param into is emptied and filled
   * @param budget of the message; one for all actions that work on it
   * @return null when done; else why it failed, and then the changes are not to be used
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
    } catch (RuntimeException failure) { // a fault of ours included, which is this copy's alone
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
      evaluation.steps().spend(steps.length); // each change is looked for among the others
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
    // what is unknown is written down as null, and does not take the property away
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
