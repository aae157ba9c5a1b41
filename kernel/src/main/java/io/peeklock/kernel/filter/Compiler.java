package io.peeklock.kernel.filter;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles one tree for evaluation, with the slots that a set of rules shares. */
final class Compiler {
  private static final String APART = "the parser keeps values and conditions apart";

  private final Slots slots;
  private int cells;
  private int[] used = {};
  private int uses;

  Compiler(Slots slots) {
    this.slots = slots;
  }

  Condition condition(Expression expression) {
    if (expression instanceof Expression.Predicate predicate) {
      return condition(predicate);
    }
    throw new IllegalStateException(APART);
  }

  private Condition condition(Expression.Predicate predicate) {
    return switch (predicate) { // no default: a new one must be handled to compile
      case Expression.And and -> new Condition.All(conditions(and.operands()));
      case Expression.Or or -> new Condition.Any(conditions(or.operands()));
      case Expression.Not not -> new Condition.Inverse(condition(not.operand()));
      case Expression.Comparing comparing ->
          new Condition.Compared(
              comparing.relation(), operand(comparing.left()), operand(comparing.right()));
      case Expression.In in ->
          negatedIf(
              in.negated(), new Condition.OneOf(operand(in.operand()), operands(in.choices())));
      case Expression.Like like -> negatedIf(like.negated(), like(like));
      case Expression.IsNull isNull ->
          negatedIf(isNull.negated(), new Condition.Absent(operand(isNull.property())));
      case Expression.Exists exists -> new Condition.Present(operand(exists.property()));
    };
  }

  private static Condition negatedIf(boolean negated, Condition condition) {
    return negated ? new Condition.Inverse(condition) : condition;
  }

  private Condition like(Expression.Like like) {
    LikePattern fixed = Operands.constantPattern(like.pattern(), like.escape());
    Operand text = operand(like.text());
    if (fixed != null) {
      return new Condition.FixedLike(text, fixed);
    }
    @Nullable Operand escape = like.escape() == null ? null : operand(like.escape());
    return new Condition.ComputedLike(text, operand(like.pattern()), escape);
  }

  private Condition[] conditions(List<Expression> expressions) {
    return expressions.stream().map(this::condition).toArray(Condition[]::new);
  }

  private Operand[] operands(List<Expression> expressions) {
    return expressions.stream().map(this::operand).toArray(Operand[]::new);
  }

  Operand operand(Expression expression) {
    return switch (expression) { // no default: a new one must be handled to compile
      case Expression.Constant constant -> new Operand.Fixed(constant.value());
      case Expression.Parameter parameter -> new Operand.Fixed(parameter.value());
      case Expression.UserProperty user -> user(user.name());
      case Expression.BrokerProperty broker ->
          broker.property() == null
              ? new Operand.Nowhere(broker.name())
              : new Operand.Broker(broker.property().index());
      case Expression.NamedProperty named -> named(named);
      case Expression.NewId newId -> new Operand.New(newCell());
      case Expression.Signed signed ->
          new Operand.Sign(signed.negative(), operand(signed.operand()), newCell());
      case Expression.Chain chain ->
          new Operand.Computed(
              chain.operators().toArray(ArithmeticOperator[]::new),
              operands(chain.operands()),
              newCell());
      case Expression.Predicate condition -> throw new IllegalStateException(APART);
    };
  }

  private Operand named(Expression.NamedProperty named) {
    FilterValue name = Parser.constant(named.name());
    if (name != null && name.type() == ValueType.TEXT) {
      return user(new PropertyName(name.text()));
    }
    return new Operand.Named(operand(named.name()), newCell());
  }

  private Operand user(PropertyName name) {
    int slot = slots.use(name);
    if (uses == used.length) {
      used = Arrays.copyOf(used, uses + uses / 2 + 1);
    }
    used[uses++] = slot;
    return new Operand.User(slot);
  }

  /**
   * The slots of the names used, as often as they were; they must be released with the compiled
   * tree.
   */
  int[] used() {
    return Arrays.copyOf(used, uses);
  }

  private int newCell() {
    return slots.newCell(cells++);
  }
}
