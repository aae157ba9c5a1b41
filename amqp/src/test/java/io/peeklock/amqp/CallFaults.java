package io.peeklock.amqp;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isMethod;
import static net.bytebuddy.matcher.ElementMatchers.isTypeInitializer;
import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.none;
import static net.bytebuddy.matcher.ElementMatchers.not;

import io.peeklock.kernel.machine.Machine;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.agent.builder.AgentBuilder.RedefinitionStrategy.BatchAllocator;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/**
 * Has any call of any method of the AMQP edge and its engine fail: an agent has each of them ask
 * here when it is entered. So no list of places is needed that somebody would have to keep.
 */
public final class CallFaults {
  private static final Map<String, Integer> ENTERED = new LinkedHashMap<>();
  private static boolean counting;
  private static @Nullable String target;
  private static int left;
  private static @Nullable Supplier<? extends Throwable> fault;

  private CallFaults() {}

  /** What each method does first; its text is copied into them. */
  public static final class Entry {
    private Entry() {}

    @Advice.OnMethodEnter
    static void enter(@Advice.Origin("#t.#m") String method) {
      CallFaults.entered(method);
    }
  }

  /** Puts the agent into the classes of the edge, those that are loaded too. */
  static void install() {
    new AgentBuilder.Default()
        .disableClassFormatChanges()
        .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
        .with(BatchAllocator.ForFixedSize.ofSize(1)) // one that cannot change keeps no other back
        .ignore(none())
        .type(nameStartsWith("io.peeklock.amqp."))
        .transform(
            (builder, type, loader, module, domain) ->
                domain == null || isTest(domain.getCodeSource())
                    ? builder
                    : builder.visit(
                        Advice.to(Entry.class)
                            .on(
                                isMethod()
                                    .or(isConstructor())
                                    .and(not(isTypeInitializer()))
                                    .and(not(named("$jacocoInit")))))) // that of coverage
        .installOn(ByteBuddyAgent.install());
  }

  private static boolean isTest(@Nullable CodeSource source) {
    var own = CallFaults.class.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation().equals(own.getLocation());
  }

  /** Those of these names, each {@code Class.method} of this module, that are nowhere. */
  static List<String> missing(Collection<String> names) {
    return names.stream().filter(name -> !exists(name)).toList();
  }

  private static boolean exists(String name) {
    var dot = name.lastIndexOf('.');
    try {
      var type = Class.forName("io.peeklock.amqp." + name.substring(0, dot));
      return Arrays.stream(type.getDeclaredMethods())
          .anyMatch(method -> method.getName().equals(name.substring(dot + 1)));
    } catch (ClassNotFoundException nowhere) {
      return false;
    }
  }

  /** From now on calls are counted, by the method's name. */
  static void count() {
    ENTERED.clear();
    counting = true;
  }

  /** How often each was entered. */
  static Map<String, Integer> counted() {
    counting = false;
    return new LinkedHashMap<>(ENTERED);
  }

  /** From now on this call of this method fails, from 1; once. */
  static void arm(String method, int call, Supplier<? extends Throwable> how) {
    target = method;
    left = call;
    fault = how;
  }

  /** No call fails any more; whether one did. */
  static boolean disarm() {
    var fired = fault == null;
    fault = null;
    target = null;
    return fired;
  }

  /** A method begins. */
  public static void entered(String method) {
    if (counting) {
      ENTERED.merge(method, 1, Integer::sum);
    }
    var how = fault;
    if (how != null && method.equals(target) && --left == 0) {
      if (isDecision()) {
        target = null;
        return;
      }
      fault = null;
      var made = how.get();
      if (made instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) made;
    }
  }

  /** A fault while the shard decides is the shard's, which ends aloud. */
  private static boolean isDecision() {
    return StackWalker.getInstance()
        .walk(all -> all.anyMatch(it -> it.getClassName().equals(Machine.class.getName())));
  }
}
