package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.PeerState;
import io.peeklock.amqp.engine.SendingLink;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.access.Right;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A link on which a client hears answers. They wait for its credit (T-16), up to a bound and for a
 * minute, and count until they are on the socket.
 */
final class ReplyLink extends NodeLink {
  /** So long an answer waits for credit. */
  private static final long WAIT_MILLIS = 60_000;

  private final SendingLink link;
  private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
  private long waitsSinceMillis; // nothing has left since then
  private long waitingBytes;
  private long unwrittenBytes;
  private long sent;
  private boolean drain;

  ReplyLink(AmqpConnection connection, EntityAddress address, SendingLink link) {
    super(connection, address);
    this.link = link;
  }

  @Override
  SendingLink link() {
    return link;
  }

  @Override
  @Nullable Right needs() {
    return null;
  }

  @Override
  boolean mayIdleOut() {
    return false;
  }

  /** The address that clients call it by in {@code reply-to}. */
  @Nullable String replyAddress() {
    var target = link.target();
    return target == null ? null : target.address();
  }

  /** Sends an answer, or keeps it until there is credit. */
  void send(ByteBuf reply) {
    if (!connection.holdings.reply(reply.readableBytes())) {
      reply.release();
      detach(Conditions.RESOURCE_LIMIT_EXCEEDED, "Too many answers wait for credit");
      return;
    }
    sendCounted(reply);
    reply.release();
  }

  /** Sends an answer that is counted already, and keeps a hold on it of its own. */
  void sendCounted(ByteBuf reply) {
    waitingBytes += reply.readableBytes();
    waiting.add(reply.retain());
    pump();
    if (waiting.size() > 1 && waitingBytes > connection.limits().replyBytes()) {
      detach(Conditions.RESOURCE_LIMIT_EXCEEDED, "Too many answers wait for credit");
    }
  }

  @Override
  void entitiesChanged(Catalogue catalogue) {
    if (!address.cbs() && catalogue.queue(address.entity()) == null) {
      detachAsGone(address.shown());
    }
  }

  @Override
  void credit(long deliveryLimit, boolean isDraining) {
    drain = isDraining;
    pump();
  }

  @Override
  void pump() {
    var before = sent;
    while (!waiting.isEmpty() && link.canSend() && connection.hasOutputRoom()) {
      var reply = waiting.remove();
      waitingBytes -= reply.readableBytes();
      try {
        countUntilWritten(reply.readableBytes());
        link.beginDelivery(0, 0, ++sent, true).writeBytes(reply);
        link.endDelivery();
      } finally {
        reply.release();
      }
    }
    if (!waiting.isEmpty()) {
      connection.pumpLater(this);
      if (connection.outflow.watch(this) || sent != before) {
        waitsSinceMillis = connection.nowMillis();
      }
    } else if (drain) {
      drain = false;
      link.drained();
    }
  }

  @Override
  boolean checkHeld(long nowMillis) {
    if (waiting.isEmpty()) {
      return false;
    }
    var byClient = link.credit() == 0 || link.window() == 0;
    var isOver =
        byClient
            && connection.channel().isWritable()
            && nowMillis - waitsSinceMillis >= WAIT_MILLIS;
    if (isOver) {
      detach(
          Conditions.RESOURCE_LIMIT_EXCEEDED,
          "An answer has waited " + WAIT_MILLIS / 1_000 + " seconds for credit");
    }
    return !isOver;
  }

  private void countUntilWritten(int bytes) {
    if (unwrittenBytes == 0) {
      connection.outflow.tell(this);
    }
    unwrittenBytes += bytes;
  }

  @Override
  void written() {
    connection.holdings.replyGone(unwrittenBytes);
    unwrittenBytes = 0;
  }

  @Override
  void disposition(int deliveryId, long context, PeerState state, boolean settled) {}

  @Override
  void ended() {
    waiting.forEach(ByteBuf::release);
    waiting.clear();
    connection.holdings.replyGone(waitingBytes + unwrittenBytes);
    waitingBytes = 0;
    unwrittenBytes = 0;
  }
}
