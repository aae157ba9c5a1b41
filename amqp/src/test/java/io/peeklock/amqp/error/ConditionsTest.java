package io.peeklock.amqp.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.proof.Rule;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Clients treat a condition they do not know each in their own way: we send none such. */
class ConditionsTest {
  /** All that any of the official clients tells apart or takes for a known class. */
  private static final Set<String> KNOWN =
      Set.of(
          "amqp:not-found",
          "amqp:unauthorized-access",
          "amqp:not-allowed",
          "amqp:not-implemented",
          "amqp:internal-error",
          "amqp:resource-limit-exceeded",
          "amqp:link:message-size-exceeded",
          "amqp:link:detach-forced",
          "amqp:connection:forced",
          "amqp:connection:framing-error",
          "amqp:invalid-field",
          "amqp:decode-error",
          "amqp:illegal-state",
          "amqp:session:handle-in-use",
          "amqp:transaction:unknown-id",
          "amqp:transaction:rollback",
          "amqp:transaction:timeout",
          "com.microsoft:timeout",
          "com.microsoft:server-busy",
          "com.microsoft:argument-error",
          "com.microsoft:argument-out-of-range",
          "com.microsoft:entity-disabled",
          "com.microsoft:entity-already-exists",
          "com.microsoft:message-lock-lost",
          "com.microsoft:session-lock-lost",
          "com.microsoft:session-cannot-be-locked",
          "com.microsoft:message-not-found",
          "com.microsoft:no-matching-subscription");

  @Test
  @Rule("T-74")
  void noConditionIsInvented() throws IllegalAccessException {
    var ours = new ArrayList<String>(constants(Conditions.class));
    ours.addAll(constants(AmqpError.class));

    assertThat(ours).hasSizeGreaterThan(20).isSubsetOf(KNOWN);
  }

  private static List<String> constants(Class<?> type) throws IllegalAccessException {
    var found = new ArrayList<String>();
    for (var field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == String.class) {
        field.setAccessible(true);
        found.add((String) field.get(null));
      }
    }
    return found;
  }
}
