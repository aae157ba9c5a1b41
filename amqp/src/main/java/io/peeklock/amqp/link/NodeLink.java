package io.peeklock.amqp.link;

import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.thread.EventLoopThread;
import org.jspecify.annotations.Nullable;

/** An attached link and the node behind it: a queue, its management node, or the token node. */
@EventLoopThread
public abstract class NodeLink implements EventLoopContext.Target, Outflow.Source {
  private static final String TOO_SLOW =
      "In "
          + Outflow.PACE_MILLIS / 1_000
          + " seconds less was taken than an eighth of what is held for this connection, while"
          + " others wait for its room; or a "
          + Outflow.AWAITED_PARTS
          + "th in "
          + Outflow.AWAITED_MILLIS / 1_000
          + ", while others get nothing for want of it";

  public final LinkConnection connection;
  public final EntityAddress address;
  public long activeAtMillis;
  private boolean gathering;

  public NodeLink(LinkConnection connection, EntityAddress address) {
    this.connection = connection;
    this.address = address;
    this.activeAtMillis = connection.nowMillis();
  }

  @Override
  public final LinkConnection host() {
    return connection;
  }

  /** What it is for. */
  public abstract LinkKind kind();

  /** The engine's side of it. */
  public abstract AmqpLink link();

  /** The claim that it lives by; null when it needs none, or any. */
  public abstract @Nullable Right needs();

  /** Whether the claims of the connection still cover it. */
  public boolean isAllowed(long nowMillis) {
    var right = needs();
    return right == null || connection.rights().allow(address.resource(), right, nowMillis);
  }

  /** Whether idleness ends it (S-099). */
  public boolean mayIdleOut() {
    return true;
  }

  /** A transfer frame for it came. */
  public void transfer(IncomingTransfer transfer) {}

  /** The client's credit changed, or it drains. */
  public void credit(long deliveryLimit, boolean drain) {
    if (drain && link() instanceof SendingLink sending) {
      sending.drained();
    }
  }

  /** The client settles one of its deliveries. */
  public void disposition(int deliveryId, long context, PeerState state, boolean settled) {}

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (bodies != null) {
      bodies.release();
    }
  }

  /** Entities were changed or deleted, this link's maybe (S-071, S-427). */
  public void entitiesChanged(Catalogue catalogue) {}

  /** Ends the link of an entity that is no more. */
  public final void detachAsGone(String path) {
    detach(Conditions.NOT_FOUND, connection.errors().notFound(path));
  }

  @Override
  public void submitGathered() {}

  /** Credit, window or socket may have room again. */
  public void pump() {}

  @Override
  public long takeWritten() {
    return 0;
  }

  @Override
  public void left(long bytes) {}

  @Override
  public long heldBytes() {
    return 0;
  }

  @Override
  public final void tooSlow() {
    detach(Conditions.RESOURCE_LIMIT_EXCEEDED, TOO_SLOW);
  }

  @Override
  public boolean checkHeld(long nowMillis) {
    return false;
  }

  /** There may be room for more deliveries: some were settled, or the namespace has credits. */
  public void mayDeliverMore() {}

  /** It is made: from now on it is one of its connection. */
  public void joined() {}

  /** It is one of its connection no longer; its end follows. */
  public void parted() {}

  /** A fault ends the connection; what the link shares with others is to be as before. */
  public void broken() {}

  /** The link is over; nothing more may be said on it. */
  public void ended() {}

  /** A stored body that this link was to get cannot be read. */
  public void unreadable(String reason) {
    connection.bodyFailed(
        this,
        reason,
        Conditions.INTERNAL_ERROR,
        "A stored message cannot be read. A retry may not help");
  }

  public final void active() {
    activeAtMillis = connection.burstMillis();
  }

  /** Asks for {@link #submitGathered} at the end of the read burst. */
  public final void gatherLater() {
    if (!gathering) {
      gathering = true;
      connection.gather(this);
    }
  }

  public final void submitNow() {
    gathering = false;
    submitGathered();
  }

  /** The same at the end of the read burst, if that was not done meanwhile. */
  public final void submitIfGathering() {
    if (gathering) {
      submitNow();
    }
  }

  /** Detaches with an error, logged. */
  public final void detach(String condition, String sentence) {
    if (link().isAttached()) {
      link().detach(connection.errors().error(condition, sentence, address.shown()));
    }
    connection.over(this);
  }
}
