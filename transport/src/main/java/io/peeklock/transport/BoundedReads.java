package io.peeklock.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/** Sizes of buffers to read into, no larger and no more of them than a connection's turn allows. */
final class BoundedReads implements RecvByteBufAllocator {
  private final RecvByteBufAllocator sizes;
  private final ConnectionTurn turn;

  /**
   * Those of one connection.
   *
   * @param sizes which would be right for what it sends
   */
  BoundedReads(RecvByteBufAllocator sizes, ConnectionTurn turn) {
    this.sizes = sizes;
    this.turn = turn;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new Bounded((ExtendedHandle) sizes.newHandle());
  }

  /** What a channel asks. */
  private final class Bounded extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle right;

    Bounded(ExtendedHandle right) {
      super(right);
      this.right = right;
    }

    @Override
    public int guess() {
      return Math.min(right.guess(), turn.mostBytes());
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator memory) {
      return memory.ioBuffer(guess());
    }

    @Override
    public boolean continueReading() {
      return turn.readsOn() && right.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return turn.readsOn() && right.continueReading(maybeMore);
    }
  }
}
