package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.peeklock.runtime.LargeBody;

/** One large message on its way to a receiver. */
final class LargeDelivery extends LargeOutgoing {
  private final ConsumerLink link;
  private final PendingBurst burst;

  LargeDelivery(
      ConsumerLink link,
      PendingBurst burst,
      LargeBody body,
      long tagHigh,
      long tagLow,
      boolean settled) {
    super(link, link.link(), link.port(), body);
    this.link = link;
    this.burst = burst;
    link.link().beginLargeDelivery(burst.lockId(), tagHigh, tagLow, settled);
  }

  @Override
  void writeFirst(ByteBuf out, ByteBuf read, long missing) {
    var writer = link.connection.loopContext().writer;
    burst.write(out, writer, read, read.readerIndex(), read.readableBytes(), false);
  }

  @Override
  void written() {
    link.largeEnded(burst);
  }

  @Override
  void broken(String why) {
    link.link().abortLargeDelivery();
    link.largeFailed(burst, why);
  }
}
