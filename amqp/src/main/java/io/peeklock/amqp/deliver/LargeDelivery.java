package io.peeklock.amqp.deliver;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.link.LargeOutgoing;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.message.PendingBurst;
import io.peeklock.runtime.LargeBody;

/** One large message that is being written to a receiver. */
final class LargeDelivery extends LargeOutgoing {
  private final NodeLink link;
  private final SendingLink wire;
  private final Receiver receiver;
  private final PendingBurst burst;
  private final int deliveryId;

  /** Learns how the delivery begins and ends. */
  interface Receiver {
    /** Its first bytes are read, with all that is before the body. */
    void largeBegins(int deliveryId, ByteBuf beginning);

    /** It is written completely. */
    void largeEnded(PendingBurst burst);

    /** It was aborted; the queue is stopped, which the receiver will learn. */
    void largeFailed(PendingBurst burst, String reason);
  }

  /**
   * One that begins.
   *
   * @param link the link to write to
   * @param wire the engine's side of the link
   * @param reader receives the pieces that are read
   * @param receiver learns of its beginning and end
   * @param burst the burst whose next message it is
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
    this.deliveryId = wire.beginLargeDelivery(burst.lockId(), tagHigh, tagLow, settled);
  }

  @Override
  public void writeFirst(ByteBuf out, ByteBuf read, long missing) {
    receiver.largeBegins(deliveryId, read);
    var writer = link.connection.loopContext().writer;
    burst.write(out, writer, read, read.readerIndex(), read.readableBytes());
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
