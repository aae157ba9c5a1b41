package io.peeklock.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Entities from a builder. */
class RegisteredTest {
  @RegisterExtension
  static final PeeklockExtension EXTENSION =
      new PeeklockExtension(
          () -> Peeklock.builder().queue("orders", q -> q.lockDuration(Duration.ofSeconds(5))));

  private static String early = "";

  @BeforeAll
  static void begin(@ConnectionString String connectionString) {
    early = connectionString;
  }

  @Test
  void theBrokerOfTheClassIsThereBeforeTheFirstTest(Peeklock peeklock) {
    assertThat(early).isEqualTo(peeklock.connectionString());
    peeklock.entity("orders").assertEmpty();
  }
}
