package io.peeklock.checks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the thread annotations of {@code io.peeklock.runtime.thread}: a method that belongs to one
 * thread does not call one that belongs to another, nor does one that any thread may call. A task
 * that is handed over is a lambda or a method reference, which is not looked at; what a constructor
 * does comes before any thread knows of it.
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

  /** What a method says, or else its class, or else what that stands in; null when none does. */
  private static @Nullable String threadOf(JavaCodeUnit unit) {
    for (var kind : KINDS) {
      if (unit.isAnnotatedWith(PACKAGE + kind)) {
        return kind;
      }
    }
    return threadOf(unit.getOwner());
  }

  private static @Nullable String threadOf(JavaClass type) {
    for (var kind : KINDS) {
      if (type.isAnnotatedWith(PACKAGE + kind)) {
        return kind;
      }
    }
    Optional<JavaClass> outer = type.getEnclosingClass();
    return outer.map(ThreadRules::threadOf).orElse(null);
  }
}
