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

  /** A link of a connection, active as of now. */
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

  /** The right that it needs; null when it needs none, or any. */
  public abstract @Nullable Right needs();

  /** Whether the rights of the connection still cover it. */
  public boolean isAllowed(long nowMillis) {
    var right = needs();
    return right == null || connection.rights().keeps(address.resource(), right, nowMillis);
  }

  /** Whether idleness ends it (S-099). */
  public boolean mayIdleOut() {
    return true;
  }

  /** Handles a transfer frame. */
  public void transfer(IncomingTransfer transfer) {}

  /** Handles a change of the client's credit, or a drain. */
  public void credit(long deliveryLimit, boolean drain) {
    if (drain && link() instanceof SendingLink sending) {
      sending.drained();
    }
  }

  /** Handles a disposition for one of its deliveries. */
  public void disposition(int deliveryId, long context, PeerState state, boolean settled) {}

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (bodies != null) {
      bodies.release();
    }
  }

  /** Called when entities were changed or deleted, maybe this link's (S-071, S-427). */
  public void entitiesChanged(Catalogue catalogue) {}

  /** Detaches because its entity was deleted. */
  public final void detachAsGone(String path) {
    detach(Conditions.NOT_FOUND, connection.errors().notFound(path));
  }

  @Override
  public void submitGathered() {}

  /** Called when credit, window or socket may have room again. */
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

  /**
   * Called when more deliveries may be possible, as some were settled or the namespace has credits
   * again.
   */
  public void mayDeliverMore() {}

  /** Called after it was added to its connection. */
  public void joined() {}

  /** Called after it was removed from its connection; {@link #ended} follows. */
  public void parted() {}

  /** Called when a fault ends the connection; must restore what the link shares with others. */
  public void broken() {}

  /** Called at the end of the link; nothing more may be sent on it. */
  public void ended() {}

  /** Called when a stored body for this link cannot be read. */
  public void unreadable(String reason) {
    connection.bodyFailed(
        this,
        reason,
        Conditions.INTERNAL_ERROR,
        "A stored message cannot be read. A retry may not help");
  }

  /** Marks the link as active now (S-099). */
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

  /** Submits what it has gathered, now. */
  public final void submitNow() {
    gathering = false;
    submitGathered();
  }

  /** Submits at the end of the read burst, unless {@link #submitNow} did already. */
  public final void submitIfGathering() {
    if (gathering) {
      submitNow();
    }
  }

  /** Detaches with a logged error, or refuses an attach that waits for its answer. */
  public final void detach(String condition, String sentence) {
    if (link().isAttached() || link().isPending()) {
      link().detach(connection.errors().error(condition, sentence, address.shown()));
    }
    connection.over(this);
  }
}
