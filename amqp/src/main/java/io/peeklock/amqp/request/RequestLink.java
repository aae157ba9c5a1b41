package io.peeklock.amqp.request;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkKind;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.PartialDelivery;
import org.jspecify.annotations.Nullable;

/**
 * A link on which a client sends requests. The transfer itself is always accepted; the answer is a
 * message on a reply link of the same connection (amqp.md 2.1, 7.1).
 */
public abstract class RequestLink extends NodeLink {
  private final ReceivingLink link;
  private final ReplyLinks replyLinks;
  private final PartialDelivery partial;
  private boolean tooLarge;
  private @Nullable RequestMessage head;
  private @Nullable TransactionId transaction;

  @SuppressWarnings("this-escape") // it is kept there and asked for nothing yet
  public RequestLink(
      LinkConnection connection, EntityAddress address, ReceivingLink link, ReplyLinks replyLinks) {
    super(connection, address);
    this.link = link;
    this.replyLinks = replyLinks;
    this.partial = new PartialDelivery(this);
  }

  @Override
  public final LinkKind kind() {
    return LinkKind.REQUESTS;
  }

  @Override
  public final ReceivingLink link() {
    return link;
  }

  @Override
  public final boolean mayIdleOut() {
    return false;
  }

  /** Answers a request, now or later. */
  public abstract void request(RequestMessage request);

  /**
   * Answers a request that has more bytes than one may have.
   *
   * @param head what is before its body; null when that could not be read
   */
  public void tooLarge(@Nullable RequestMessage head) {
    malformed(head, "the request is too large");
  }

  /**
   * Answers bytes that are no request.
   *
   * @param head what could be read of it before its body; null when that is damaged itself
   */
  public abstract void malformed(@Nullable RequestMessage head, String why);

  @Override
  public final void transfer(IncomingTransfer transfer) {
    if (transfer.isAborted()) {
      partial.drop();
      return;
    }
    if (transfer.isFirst()) {
      transaction = null;
    }
    if (transaction == null) {
      transaction = transfer.state().transaction();
    }
    if (transfer.isFirst() && !transfer.hasMore()) {
      handle(transfer.buffer(), transfer.payloadOffset(), transfer.payloadLength());
    } else {
      gather(transfer);
    }
    if (!transfer.hasMore() && !transfer.isSettled()) {
      var id = transfer.deliveryId();
      var in = transaction;
      link.session()
          .settleIncoming(
              id,
              id,
              in == null ? Outcome.ACCEPTED : new Outcome.Transactional(in, Outcome.ACCEPTED));
    }
  }

  /** The transaction that the request at hand is part of, null for none. */
  public final @Nullable TransactionId transaction() {
    return transaction;
  }

  private void gather(IncomingTransfer transfer) {
    if (!tooLarge
        && (partial.lengthWith(transfer) > connection.limits().requestBytes()
            || !partial.add(transfer))) {
      tooLarge = true;
      var begun = partial.bytes();
      head = begun == null ? null : RequestMessage.headOf(begun);
      partial.drop();
    }
    if (!transfer.hasMore()) {
      endGathering();
    }
  }

  private void endGathering() {
    var whole = partial.bytes();
    if (tooLarge) {
      tooLarge = false;
      tooLarge(head);
    } else if (whole != null) {
      handle(whole, whole.readerIndex(), whole.readableBytes());
      partial.drop();
    }
  }

  private void handle(ByteBuf buffer, int offset, int length) {
    RequestMessage request;
    try {
      request = RequestMessage.decode(buffer, offset, length);
    } catch (AmqpDecodeException wrong) {
      malformed(
          RequestMessage.headOf(buffer.slice(offset, length)), String.valueOf(wrong.getMessage()));
      return;
    }
    request(request);
  }

  /**
   * Sends an answer on the right reply link, see {@link ReplyLinks#find}. An answer that nobody
   * listens for is dropped.
   */
  public final void reply(@Nullable String replyTo, ByteBuf answer) {
    var found = replyLink(replyTo);
    if (found == null) {
      answer.release();
    } else {
      found.send(answer);
    }
  }

  /** Where the answer goes; null when nobody listens. */
  public final @Nullable ReplyLink replyLink(@Nullable String replyTo) {
    return replyLinks.find(link.session(), address, replyTo);
  }

  @Override
  public void ended() {
    partial.close();
  }
}
