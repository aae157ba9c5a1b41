package io.peeklock.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.junit.PeeklockTest.Lifecycle;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A broker for each test. */
@PeeklockTest(lifecycle = Lifecycle.PER_METHOD)
@Queue("orders")
class PerMethodTest {
  private static final Set<Peeklock> SEEN = new HashSet<>();

  @RepeatedTest(3)
  void eachTestHasItsOwn(Peeklock peeklock) {
    assertThat(SEEN.add(peeklock)).isTrue();
    peeklock.entity("orders").assertEmpty();
  }

  @Test
  @Queue("extra")
  @Topic(value = "events", subscriptions = "all", duplicateWindow = "PT1M", timeToLive = "PT1H")
  void aMethodNamesMore(@Queue("extra") PeeklockEntity extra, Peeklock peeklock) {
    assertThat(extra.path()).isEqualTo("extra");
    peeklock.entity("events/all").assertEmpty();
    peeklock.entity("orders").assertEmpty();
  }
}
