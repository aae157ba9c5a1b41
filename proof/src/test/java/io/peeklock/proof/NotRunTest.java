package io.peeklock.proof;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class NotRunTest {

  @Test
  void aTestThatCannotRunIsAbortedWithTheMarkAndTheReason() {
    assertThatThrownBy(() -> NotRun.because("no Node on this machine"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessage("NotRun: no Node on this machine");
  }

  @Test
  void aReasonMustBeGiven() {
    assertThatIllegalArgumentException().isThrownBy(() -> NotRun.because(" "));
  }
}
