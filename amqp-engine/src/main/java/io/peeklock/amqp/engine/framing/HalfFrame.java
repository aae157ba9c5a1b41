package io.peeklock.amqp.engine.framing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.engine.limits.HalfFrameListener;
import org.jspecify.annotations.Nullable;

/**
 * Waiting input of a connection: a partial frame, or input sent ahead of authentication. Its buffer
 * counts in a shared budget.
 */
final class HalfFrame {
  private static final int LEAST_BYTES = 256;

  private final ByteBufAllocator allocator;
  private Budget budget = Allowance.UNLIMITED.input();
  private HalfFrameListener listener = HalfFrameListener.NONE;
  private @Nullable ByteBuf buffer;
  private int counted;

  HalfFrame(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /** The bytes so far; null for none. They still belong to this object. */
  @Nullable ByteBuf buffer() {
    return buffer;
  }

  /** How many bytes have arrived. */
  int bytes() {
    return buffer == null ? 0 : buffer.readableBytes();
  }

  /**
   * Copies some more.
   *
   * @throws ProtocolViolation resource-limit-exceeded when all connections keep too much
   */
  void add(ByteBuf input, int bytes) {
    ByteBuf into = buffer;
    if (into == null) {
      into = allocator.buffer(Math.max(LEAST_BYTES, bytes));
      buffer = into;
    }
    into.writeBytes(input, bytes);
    int more = into.capacity() - counted;
    var hasRoom = more <= 0 || hold(more);
    listener.came(bytes, counted);
    if (!hasRoom) {
      throw ProtocolViolation.of(
          AmqpError.RESOURCE_LIMIT_EXCEEDED,
          "too many frames of all connections have come in part; a retry may help");
    }
  }

  private boolean hold(int more) {
    if (counted + more <= Allowance.SMALL_INPUT_BYTES) {
      budget.give(-more); // even without room
    } else if (!budget.takeFairly(counted, more)) {
      return false;
    }
    counted += more;
    return true;
  }

  /** Takes the bytes out: the caller must release them, and they no longer count. */
  @Nullable ByteBuf take() {
    ByteBuf taken = buffer;
    buffer = null;
    budget.give(counted);
    counted = 0;
    if (taken != null) {
      listener.gone();
    }
    return taken;
  }

  /** Lets go of it. */
  void release() {
    ByteBuf last = take();
    if (last != null) {
      last.release();
    }
  }

  /** Moves the count to another budget; false, and nothing changed, when it has no room. */
  boolean allow(Allowance next) {
    if (counted > 0 && !next.input().take(counted)) {
      return false;
    }
    budget.give(counted);
    budget = next.input();
    listener = next.halfFrame();
    return true;
  }
}
