package io.peeklock.transport;

import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * How many newcomers a loop takes in before it looks at its other sockets: as many as there are, up
 * to what {@link LoopTurns#newcomers} says. Left to themselves, Netty's epoll sockets take in one
 * in a round, for they compare the number of its file with 1 to tell whether there are more; so
 * whoever came waited for a round for each one before it.
 */
final class BoundedAccepts implements RecvByteBufAllocator {
  private final RecvByteBufAllocator all =
      new ServerChannelRecvByteBufAllocator()
          .respectMaybeMoreData(false)
          .maxMessagesPerRead(LoopTurns.MOST_NEWCOMERS);

  private final LoopTurns turns;

  /** Those of a socket that listens on the loop with these turns. */
  BoundedAccepts(LoopTurns turns) {
    this.turns = turns;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new Bounded((ExtendedHandle) all.newHandle());
  }

  /** What a channel asks. */
  private final class Bounded extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle right;
    private int accepted;

    Bounded(ExtendedHandle right) {
      super(right);
      this.right = right;
    }

    @Override
    public void reset(ChannelConfig config) {
      accepted = 0;
      super.reset(config);
    }

    @Override
    public boolean continueReading() {
      return isRoom() && right.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return isRoom() && right.continueReading(maybeMore);
    }

    private boolean isRoom() {
      accepted++;
      return accepted < turns.newcomers();
    }
  }
}
