package io.peeklock.kernel.filter;

import java.util.List;

/** An action at work on one message; the message as changed so far is what its statements read. */
final class ActionRun implements FilterSubject {
  private final FilterSubject message;
  private final PropertyChanges changes;
  private final Slots slots = new Slots();
  private final Compiler compiler = new Compiler(slots);
  private final Evaluation evaluation = new Evaluation(slots);
  private long seed;

  ActionRun(FilterSubject message, long seed, PropertyChanges changes) {
    this.message = message;
    this.seed = seed;
    this.changes = changes;
  }

  @Override
  public void system(SystemProperty property, FilterValue into) {
    FilterValue changed = changes.of(property);
    if (changed == null) {
      message.system(property, into);
    } else {
      into.set(changed);
    }
  }

  @Override
  public void user(PropertyName name, FilterValue into) {
    FilterValue changed = changes.of(name);
    if (changed == null) {
      message.user(name, into);
    } else {
      into.set(changed);
    }
  }

  void run(List<Statement> statements) {
    for (Statement statement : statements) {
      FilterValue value =
          switch (statement) {
            case Statement.Set set -> evaluate(set.value());
            case Statement.Remove remove -> new FilterValue();
          };
      change(statement.target(), value);
    }
  }

  private FilterValue evaluate(Expression expression) {
    Operand operand = compiler.operand(expression);
    evaluation.begin(this, seed++);
    FilterValue value = operand.value(evaluation).copy();
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
    user(name, before);
    Conversion.adapt(value, before.type());
    changes.set(name, value);
  }

  private void changeSystem(SystemProperty property, FilterValue value) {
    if (value.isUnknown()) {
      changes.set(property, value.setMissing());
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
    changes.set(property, value);
  }
}
