package io.peeklock.amqp.request;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.limit.HeldClock;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkKind;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.access.Right;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A link on which a client hears answers. They wait for its credit (T-16), up to a bound and for a
 * minute, and count until the system has taken them.
 */
public final class ReplyLink extends NodeLink {
  private final SendingLink link;
  private final ReplyLinks replyLinks;
  private final HeldClock held;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private @Nullable Waiting leaving; // half way out, behind whose last piece the others wait
  private long waitingBytes;
  private long writtenBytes;
  private long sent;
  private boolean drain;

  /** One answer: whole, or in pieces that come when they can go. */
  private sealed interface Waiting {
    record Whole(ByteBuf bytes) implements Waiting {}

    record Large(LargeReply answer) implements Waiting {}
  }

  public ReplyLink(
      LinkConnection connection, EntityAddress address, SendingLink link, ReplyLinks replyLinks) {
    super(connection, address);
    this.link = link;
    this.replyLinks = replyLinks;
    this.held = new HeldClock(link);
  }

  @Override
  public LinkKind kind() {
    return LinkKind.REPLIES;
  }

  @Override
  public SendingLink link() {
    return link;
  }

  @Override
  public @Nullable Right needs() {
    return null;
  }

  @Override
  public boolean mayIdleOut() {
    return false;
  }

  /** The address that clients call it by in {@code reply-to}. */
  @Nullable String replyAddress() {
    var target = link.target();
    return target == null ? null : target.address();
  }

  /** Sends an answer, or keeps it until there is credit. */
  void send(ByteBuf reply) {
    if (!connection.holdings().reply(reply.readableBytes())) {
      reply.release();
      detach(Conditions.RESOURCE_LIMIT_EXCEEDED, "Too many answers wait for credit");
      return;
    }
    sendCounted(reply);
    reply.release();
  }

  /** Sends an answer that is counted already, and keeps a hold on it of its own. */
  public void sendCounted(ByteBuf reply) {
    waiting.add(new Waiting.Whole(reply));
    reply.retain();
    waitingBytes += reply.readableBytes();
    pump();
    if (waiting.size() > 1 && waitingBytes > connection.limits().replyBytes()) {
      detach(Conditions.RESOURCE_LIMIT_EXCEEDED, "Too many answers wait for credit");
    }
  }

  /** Sends an answer piece by piece once it is its turn; it counts by itself. */
  public void sendLarge(LargeReply answer) {
    waiting.add(new Waiting.Large(answer));
    pump();
  }

  /** The one that was half way is out, or broken off. */
  public void largeEnded() {
    leaving = null;
    connection.pumpAll();
    pump();
  }

  @Override
  public void entitiesChanged(Catalogue catalogue) {
    if (!address.cbs() && isKnown() && catalogue.queue(address.entity()) == null) {
      detachAsGone(address.shown());
    }
  }

  /** Who has no rights, be it not yet, learns of no entity. */
  private boolean isKnown() {
    return connection.rights().allow(address.resource(), null, connection.wallMillis());
  }

  @Override
  public void credit(long deliveryLimit, boolean isDraining) {
    drain = isDraining;
    pump();
  }

  @Override
  public void pump() {
    if (leaving != null) {
      resume(leaving);
    }
    while (leaving == null && !waiting.isEmpty() && mayBegin()) {
      var next = waiting.remove();
      leaving = next; // the link's end lets go of it, whatever happens
      begin(next);
    }
    if (leaving != null || !waiting.isEmpty()) {
      connection.pumpLater(this);
      if (connection.outflow().watch(this)) {
        held.restart(connection.nowMillis());
      }
    } else if (drain) {
      drain = false;
      link.drained();
    }
  }

  private boolean mayBegin() {
    return link.canSend() && connection.hasOutputRoom();
  }

  private void begin(Waiting next) {
    switch (next) {
      case Waiting.Large large -> large.answer().begin(++sent);
      case Waiting.Whole whole -> {
        link.beginLargeDelivery(0, 0, ++sent, true); // whatever its size, it is not copied twice
        resume(whole);
      }
    }
  }

  private void resume(Waiting next) {
    switch (next) {
      case Waiting.Large large -> large.answer().resume();
      case Waiting.Whole whole -> resume(whole.bytes());
    }
  }

  private void resume(ByteBuf reply) {
    var before = reply.readableBytes();
    var isOut = link.continueLargeDelivery(reply, true);
    var written = before - reply.readableBytes();
    countUntilTaken(written);
    waitingBytes -= written;
    if (isOut) {
      leaving = null;
      reply.release();
    }
  }

  @Override
  public boolean checkHeld(long nowMillis) {
    if (leaving == null && waiting.isEmpty()) {
      return false;
    }
    var isOver = held.isOver(nowMillis, leaving != null, connection.channel().isWritable());
    if (isOver) {
      detach(
          Conditions.RESOURCE_LIMIT_EXCEEDED,
          "An answer has waited "
              + HeldClock.MOST_MILLIS / 1_000
              + " seconds for credit, or for the session's incoming window");
    }
    return !isOver;
  }

  private void countUntilTaken(int bytes) {
    if (writtenBytes == 0 && bytes > 0) {
      connection.outflow().reportSoon(this);
    }
    writtenBytes += bytes;
    connection.outflow().counted(bytes);
  }

  @Override
  public long takeWritten() {
    var taken = writtenBytes;
    writtenBytes = 0;
    return taken;
  }

  @Override
  public void left(long bytes) {
    connection.outflow().counted(-bytes);
    connection.holdings().replyGone(bytes);
  }

  @Override
  public long heldBytes() {
    var sum = waitingBytes;
    for (var answer : waiting) {
      sum += reserved(answer);
    }
    return leaving == null ? sum : sum + reserved(leaving);
  }

  private static long reserved(Waiting answer) {
    return answer instanceof Waiting.Large large ? large.answer().reserved() : 0;
  }

  @Override
  public void disposition(int deliveryId, long context, PeerState state, boolean settled) {}

  @Override
  public void joined() {
    replyLinks.add(this);
  }

  @Override
  public void parted() {
    replyLinks.remove(this);
  }

  @Override
  public void ended() {
    if (leaving != null) {
      drop(leaving);
      leaving = null;
    }
    waiting.forEach(ReplyLink::drop);
    waiting.clear();
    connection.holdings().replyGone(waitingBytes + writtenBytes);
    connection.outflow().counted(-writtenBytes);
    waitingBytes = 0;
    writtenBytes = 0;
  }

  private static void drop(Waiting answer) {
    switch (answer) {
      case Waiting.Whole whole -> whole.bytes().release();
      case Waiting.Large large -> large.answer().abandon();
    }
  }
}
