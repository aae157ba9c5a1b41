package io.peeklock.amqp.deliver;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.link.LargeOutgoing;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.message.PendingBurst;
import io.peeklock.runtime.LargeBody;

/** One large message on its way to a receiver. */
final class LargeDelivery extends LargeOutgoing {
  private final NodeLink link;
  private final SendingLink wire;
  private final Receiver receiver;
  private final PendingBurst burst;

  /** Who hears how it ends. */
  interface Receiver {
    /** It is out. */
    void largeEnded(PendingBurst burst);

    /** It was broken off; the receiver will hear that its queue is stopped. */
    void largeFailed(PendingBurst burst, String reason);
  }

  /**
   * One that begins.
   *
   * @param link where it goes out
   * @param wire the same, of the engine
   * @param reader told of what is read
   * @param receiver told of its end
   * @param burst whose next message it is
   */
  LargeDelivery(
      NodeLink link,
      SendingLink wire,
      ShardPort reader,
      Receiver receiver,
      PendingBurst burst,
      LargeBody body,
      long tagHigh,
      long tagLow,
      boolean settled) {
    super(link, wire, reader, body);
    this.link = link;
    this.wire = wire;
    this.receiver = receiver;
    this.burst = burst;
    wire.beginLargeDelivery(burst.lockId(), tagHigh, tagLow, settled);
  }

  @Override
  public void writeFirst(ByteBuf out, ByteBuf read, long missing) {
    var writer = link.connection.loopContext().writer;
    burst.write(out, writer, read, read.readerIndex(), read.readableBytes(), false);
  }

  @Override
  public void written() {
    receiver.largeEnded(burst);
  }

  @Override
  public void broken(String why) {
    wire.abortLargeDelivery();
    receiver.largeFailed(burst, why);
  }
}
