package io.peeklock.conformance.orchestration;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * How far an orchestration is: the state of its session.
 *
 * @param step the one that it waits for
 * @param arrived parts of that step that came already, a bit for each
 * @param taken all messages that it took so far
 */
record State(int step, int arrived, int taken) {
  static final State NEW = new State(0, 0, 0);

  static State of(byte @Nullable [] bytes) {
    if (bytes == null) {
      return NEW;
    }
    var in = ByteBuffer.wrap(bytes);
    return new State(in.getInt(), in.getInt(), in.getInt());
  }

  byte[] bytes() {
    return ByteBuffer.allocate(3 * Integer.BYTES)
        .putInt(step)
        .putInt(arrived)
        .putInt(taken)
        .array();
  }

  /** Whether this is a message that it waits for: neither one of before nor one of later. */
  boolean waitsFor(Step message) {
    return message.number() == step && (arrived & 1 << message.part()) == 0;
  }

  /** After this message. */
  State with(Step message) {
    var now = arrived | 1 << message.part();
    return Integer.bitCount(now) == Plan.parts(step)
        ? new State(step + 1, 0, taken + 1)
        : new State(step, now, taken + 1);
  }
}
