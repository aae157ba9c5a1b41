package io.peeklock.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import org.assertj.core.api.ThrowingConsumer;

/** How the client must show a refusal that no retry can mend. */
final class Refused {
  private Refused() {}

  static ThrowingConsumer<Throwable> refusedAs(ServiceBusFailureReason reason) {
    return thrown -> {
      assertThat(thrown).isInstanceOf(ServiceBusException.class);
      var refusal = (ServiceBusException) thrown;
      assertThat(refusal.getReason()).as(String.valueOf(refusal.getMessage())).isEqualTo(reason);
      assertThat(refusal.isTransient()).isFalse();
    };
  }
}
