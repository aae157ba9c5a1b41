package io.peeklock.amqp.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.proof.Rule;
import org.junit.jupiter.api.Test;

/** What somebody reads who was refused. */
class RefusalSentenceTest {
  private final Errors errors = new Errors("localhost", "peeklock", () -> 0);

  @Test
  @Rule({"I-46", "S-515"})
  void tooMuchMemoryIsSaidOfAnEntityOrOfOneOfATransaction() {
    var refusal = new Refusal.MemoryShareExceeded(false, 700, 100);

    assertThat(RefusalConditions.problem(refusal, "orders", errors).sentence())
        .startsWith("'orders' would hold 700 bytes");
    assertThat(RefusalConditions.problem(refusal, "", errors).sentence())
        .startsWith("one of its entities would hold 700 bytes");
  }
}
