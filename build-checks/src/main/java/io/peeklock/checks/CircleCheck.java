package io.peeklock.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * No more than three classes of the product know each other in a circle, see {@link ClassCircles}.
 */
final class CircleCheck {

  /** A thing, its parts and its listener may. */
  private static final int MOST = 3;

  private static final String HERE = "io.peeklock.";

  /** The root packages of the product's modules. */
  private static final List<String> ROOTS =
      List.of(
          "kernel",
          "codec",
          "runtime",
          "journal",
          "amqp",
          "http",
          "transport",
          "server",
          "cli",
          "store",
          "junit");

  /** A class of each circle that may be larger, and why. */
  private static final Map<String, String> MAY_BE_LARGE =
      Map.of("io.peeklock.cli.NounCommand", "picocli names verbs at their noun, and it in each");

  private CircleCheck() {}

  /** The rule, for all of the product. */
  static ArchRule noLargeCircles() {
    return classes()
        .that(DescribedPredicate.<JavaClass>describe("are the product's", CircleCheck::isCovered))
        .should(new SmallCircles())
        .allowEmptyShould(true);
  }

  private static boolean isCovered(JavaClass type) {
    var name = type.getPackageName() + ".";
    return ROOTS.stream().anyMatch(root -> name.startsWith(HERE + root + "."));
  }

  private static final class SmallCircles extends ArchCondition<JavaClass> {
    private List<Set<String>> circles = List.of();

    SmallCircles() {
      super("know each other in circles of at most %d", MOST);
    }

    @Override
    public void init(Collection<JavaClass> all) {
      circles = ClassCircles.among(all);
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      // A circle is none of one class: they are told at the end.
    }

    @Override
    public void finish(ConditionEvents events) {
      for (var circle : circles) {
        if (circle.size() > MOST && Collections.disjoint(circle, MAY_BE_LARGE.keySet())) {
          events.add(SimpleConditionEvent.violated(circle, text(circle)));
        }
      }
    }
  }

  private static String text(Set<String> circle) {
    return circle.stream()
        .map(name -> name.substring(HERE.length()))
        .collect(
            Collectors.joining(
                ", ", circle.size() + " classes know each other, at most " + MOST + ": ", ""));
  }
}
