package io.peeklock.codec;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.fact.Fact;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The layouts of all kinds of facts, by number and by kind. 11 is of no released version. */
final class FactLayouts {
  private static final @Nullable FactLayout<?>[] BY_NUMBER = byNumber();

  private static final ClassValue<FactLayout<?>> BY_KIND =
      new ClassValue<>() {
        @Override
        protected FactLayout<?> computeValue(Class<?> kind) {
          return Invariant.present(find(kind), "every kind of fact has a layout");
        }
      };

  private FactLayouts() {}

  /** The layout of a fact. */
  static FactLayout<?> of(Fact fact) {
    return ofKind(fact.getClass());
  }

  static FactLayout<?> ofKind(Class<?> kind) {
    return BY_KIND.get(kind);
  }

  /** The layout with a number, from 0; null when it is unknown. */
  static @Nullable FactLayout<?> withNumber(int number) {
    return number < BY_NUMBER.length ? BY_NUMBER[number] : null;
  }

  private static @Nullable FactLayout<?> find(Class<?> kind) {
    return all().filter(layout -> layout.kind() == kind).findFirst().orElse(null);
  }

  private static @Nullable FactLayout<?>[] byNumber() {
    var most = all().mapToInt(FactLayout::number).max().orElse(0);
    @Nullable FactLayout<?>[] table = new FactLayout<?>[most + 1];
    all()
        .forEach(
            layout -> {
              Invariant.check(table[layout.number()] == null, "a number is of one kind of fact");
              table[layout.number()] = layout;
            });
    return table;
  }

  private static Stream<FactLayout<?>> all() {
    return Stream.<List<FactLayout<?>>>of(
            EntityLayouts.LAYOUTS,
            RuleLayouts.LAYOUTS,
            ArrivalLayouts.LAYOUTS,
            MessageLayouts.LAYOUTS,
            TopicLayouts.LAYOUTS,
            ForwardLayouts.LAYOUTS,
            SessionLayouts.LAYOUTS,
            RestoredLayouts.LAYOUTS)
        .flatMap(List::stream);
  }
}
