package io.peeklock.kernel.send;

import io.peeklock.proof.LongProof;

/** The same stories, and after each look into any subscription the whole machine is checked. */
@LongProof
class FanOutSliceChecksTest extends FanOutSliceTest {

  @Override
  boolean checksEveryLook() {
    return true;
  }
}
