package io.peeklock.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the thread annotations of {@code io.peeklock.runtime.thread}: a method that belongs to one
 * thread does not call one that belongs to another, nor does one that any thread may call. A task
 * that is handed over is a lambda or a method reference, which is not looked at; what a constructor
 * does comes before any thread knows of it.
 *
 * <p>A call that goes through a method which says nothing is not followed, nor is a lambda that
 * runs at once: what matters is to be annotated.
 */
final class ThreadRules {

  private static final String PACKAGE = "io.peeklock.runtime.thread.";
  private static final String ANY = "AnyThread";
  private static final List<String> KINDS =
      List.of(ANY, "ShardThread", "LogThread", "EventLoopThread");

  private ThreadRules() {}

  static ArchRule callsStayOnTheirThread() {
    return classes().should(new StayOnTheirThread()).allowEmptyShould(true);
  }

  private static final class StayOnTheirThread extends ArchCondition<JavaClass> {
    StayOnTheirThread() {
      super("call what belongs to another thread only by handing a task over");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
      for (var call : type.getMethodCallsFromSelf()) {
        var from = threadOf(call.getOrigin());
        var to = call.getTarget().resolveMember().map(ThreadRules::threadOf).orElse(null);
        if (from != null && to != null && !to.equals(ANY) && !from.equals(to) && isDirect(call)) {
          events.add(SimpleConditionEvent.violated(call, call.getDescription()));
        }
      }
    }
  }

  private static boolean isDirect(JavaAccess<? extends CodeUnitCallTarget> call) {
    return !call.isDeclaredInLambda() && call.getOrigin() instanceof JavaMethod;
  }

  /**
   * What a method says, or else what it overrides, or else its class, or what that extends, or else
   * what it stands in; null when none does.
   */
  private static @Nullable String threadOf(JavaCodeUnit unit) {
    var own = annotated(unit);
    if (own != null) {
      return own;
    }
    var owner = unit.getOwner();
    return Stream.concat(
            owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
        .map(above -> saidOf(unit, above))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseGet(() -> threadOf(owner));
  }

  /** What the method says that another one overrides in this type. */
  private static @Nullable String saidOf(JavaCodeUnit unit, JavaClass above) {
    return above
        .tryGetMethod(
            unit.getName(),
            unit.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new))
        .map(ThreadRules::annotated)
        .orElse(null);
  }

  private static @Nullable String threadOf(JavaClass type) {
    return Stream.concat(Stream.of(type), type.getAllRawSuperclasses().stream())
        .map(ThreadRules::annotated)
        .filter(Objects::nonNull)
        .findFirst()
        .or(() -> type.getEnclosingClass().map(ThreadRules::threadOf))
        .orElse(null);
  }

  private static @Nullable String annotated(CanBeAnnotated what) {
    return KINDS.stream()
        .filter(kind -> what.isAnnotatedWith(PACKAGE + kind))
        .findFirst()
        .orElse(null);
  }
}
