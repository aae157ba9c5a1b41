package io.peeklock.transport;

import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * How many newcomers a loop takes before it looks at its other sockets: as many as there are, up to
 * what {@link Newcomers} says. Left to themselves, Netty's epoll sockets take in one in a round,
 * for they compare the number of its file with 1 to tell whether there are more; so whoever came
 * waited for a round for each one before it.
 */
final class BoundedAccepts implements RecvByteBufAllocator {
  private final RecvByteBufAllocator all =
      new ServerChannelRecvByteBufAllocator()
          .respectMaybeMoreData(false)
          .maxMessagesPerRead(Newcomers.MOST_TAKEN);

  private final Newcomers newcomers;

  /** Those of a socket with these newcomers. */
  BoundedAccepts(Newcomers newcomers) {
    this.newcomers = newcomers;
  }

  @Override
  public ExtendedHandle newHandle() {
    return new Bounded((ExtendedHandle) all.newHandle());
  }

  /** What a channel asks. */
  private final class Bounded extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle right;

    Bounded(ExtendedHandle right) {
      super(right);
      this.right = right;
    }

    @Override
    public void reset(ChannelConfig config) {
      newcomers.roundBegins();
      super.reset(config);
    }

    @Override
    public void incMessagesRead(int count) {
      newcomers.took(count);
      super.incMessagesRead(count);
    }

    @Override
    public boolean continueReading() {
      return newcomers.takesMore() && right.continueReading();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
      return newcomers.takesMore() && right.continueReading(maybeMore);
    }
  }
}
