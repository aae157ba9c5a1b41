package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.messaging.Terminus;
import io.peeklock.amqp.engine.session.AmqpSession;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One AMQP link, seen from us: we receive on a {@link ReceivingLink} (the client sends), and send
 * on a {@link SendingLink}.
 */
public abstract sealed class AmqpLink implements DeliveryHolder permits ReceivingLink, SendingLink {
  /** {@link #senderSettleMode}, {@link #receiverSettleMode}: the client said nothing. */
  public static final int MODE_NULL = AttachRequest.NO_MODE;

  /** {@code snd-settle-mode} unsettled, {@code rcv-settle-mode} first. */
  public static final int MODE_ZERO = 0;

  /** {@code snd-settle-mode} settled, {@code rcv-settle-mode} second. */
  public static final int MODE_ONE = 1;

  /** {@code snd-settle-mode} mixed. */
  public static final int MODE_TWO = 2;

  /** Where a link is. PENDING may go to any other, ATTACHED to the two after it. */
  private enum Phase {
    PENDING,
    ATTACHED,
    DETACH_SENT,
    OVER
  }

  private final LinkSession host;
  private final AmqpSession session;
  private final LinkListener listener;
  private final AttachRequest request;
  private final int localHandle;
  private Phase phase = Phase.PENDING;

  /** Its weight in the budget, until the client has freed its handle too. */
  long weight;

  private boolean owesDetach = true;
  private boolean holdsLocalHandle = true;
  private @Nullable Object attachment;

  AmqpLink(LinkSession host, LinkListener listener, AttachRequest request, int localHandle) {
    this.host = host;
    this.session = host.session();
    this.listener = listener;
    this.request = request;
    this.localHandle = localHandle;
  }

  public final AmqpSession session() {
    return session;
  }

  /** The name that the client gave it. Not unique (amqp.md 3.2). */
  public final String name() {
    return request.name;
  }

  /** As asked: {@link #MODE_NULL}, 0 unsettled, 1 settled, 2 mixed. Echoed as it is. */
  public final int senderSettleMode() {
    return request.senderSettleMode;
  }

  /** As asked: {@link #MODE_NULL}, 0 first, 1 second. Echoed as it is. */
  public final int receiverSettleMode() {
    return request.receiverSettleMode;
  }

  /** What the client asked for; null when it said null. */
  public final Terminus.@Nullable Source source() {
    return request.source;
  }

  /**
   * A {@link Terminus.Target} or a {@link Terminus.Coordinator}; null when the client said null.
   */
  public final @Nullable Terminus target() {
    return request.target;
  }

  /** Whether the target is the transaction coordinator. */
  public final boolean isCoordinator() {
    return request.target instanceof Terminus.Coordinator;
  }

  /** The client's link properties; keys as texts; empty when null. */
  public final Map<String, @Nullable Object> properties() {
    return request.properties;
  }

  /** The client's {@code max-message-size}, unsigned; 0 for none. */
  public final long maxMessageSize() {
    return request.maxMessageSize;
  }

  /** Whether the link was accepted and is not over. */
  @Override
  public final boolean isAttached() {
    return phase == Phase.ATTACHED;
  }

  /** Whether the client waits for {@link #accept} or {@link #refuse}. */
  public final boolean isPending() {
    return phase == Phase.PENDING;
  }

  /** The edge's own object for this link; null at first. */
  public final @Nullable Object attachment() {
    return attachment;
  }

  /** Keeps an object with this link; null forgets it. */
  public final void attach(@Nullable Object attachment) {
    this.attachment = attachment;
  }

  /**
   * Accepts the link: writes the attach reply with all fields. Credit that the client gave before
   * is told to {@link LinkListener#onCredit} before this returns.
   *
   * @return false when the link is no longer {@link #isPending}; then nothing was done
   */
  public final boolean accept(AttachReply reply) {
    if (phase != Phase.PENDING) {
      return false;
    }
    phase = Phase.ATTACHED;
    host.writeAttach(localHandle, request, reply);
    request.dropRawBytes();
    onAccepted();
    return true;
  }

  /**
   * Refuses the link: an attach with null source and target and a detach with the error, next to
   * each other (T-24).
   *
   * @return false when the link is no longer {@link #isPending}; then nothing was done
   */
  public final boolean refuse(AmqpError error) {
    if (phase != Phase.PENDING) {
      return false;
    }
    owesDetach = false;
    refuseQuietly(error);
    phase = Phase.DETACH_SENT;
    return true;
  }

  /**
   * Detaches, always with closed=true; does not wait for the client's answer. Unsettled deliveries
   * are forgotten: late dispositions for them are ignored. A pending link is refused, with {@code
   * amqp:link:detach-forced} when there is no error. Does nothing on a link that is over.
   */
  public final void detach(@Nullable AmqpError error) {
    if (phase == Phase.PENDING) {
      refuse(error == null ? AmqpError.of("amqp:link:detach-forced", null) : error);
    } else if (phase == Phase.ATTACHED) {
      owesDetach = false;
      writeDetach(error);
      leave(Phase.DETACH_SENT);
      freeLocalHandle();
    }
  }

  /** Ends a link whose client asks for something unsupported, and informs the edge. */
  final void giveUp(AmqpError error) {
    detach(error);
    listener.onDetach(this, null);
  }

  /** What comes right after the attach reply. */
  abstract void onAccepted();

  /** A FLOW for this link; {@code flow} has a handle. */
  abstract void onFlow(Performative flow);

  /** Called when an attached link has ended, to forget what belongs to it. */
  abstract void onLeft();

  final LinkSession host() {
    return host;
  }

  final LinkListener listener() {
    return listener;
  }

  /** The number that stands for the link in the frames that we send. */
  public final int localHandle() {
    return localHandle;
  }

  /**
   * Frees our handle. Called at our detach and again at the client's, when another link may have
   * it.
   */
  final void freeLocalHandle() {
    if (holdsLocalHandle) {
      holdsLocalHandle = false;
      host.freeHandle(localHandle);
    }
  }

  /** Answers a client's detach, and returns whether the edge must be informed. */
  final boolean onDetach() {
    if (phase == Phase.PENDING) {
      refuseQuietly(null);
    } else if (phase == Phase.ATTACHED) {
      writeDetach(null);
    }
    return over();
  }

  /** Ends the link without a frame, and returns whether the edge must be informed. */
  final boolean over() {
    leave(Phase.OVER);
    boolean owed = owesDetach;
    owesDetach = false;
    return owed;
  }

  /**
   * Ends the link without a frame or a callback; {@link #over} still returns whether a callback is
   * pending.
   */
  final void silence() {
    leave(Phase.OVER);
  }

  private void leave(Phase next) {
    boolean wasAttached = phase == Phase.ATTACHED;
    phase = next;
    request.dropRawBytes();
    if (wasAttached) {
      onLeft();
    }
  }

  private void writeDetach(@Nullable AmqpError error) {
    host.flush(); // settlements of the link come before its end
    host.writeDetach(localHandle, error);
  }

  private void refuseQuietly(@Nullable AmqpError error) {
    host.writeAttach(localHandle, request, null);
    host.writeDetach(localHandle, error);
    request.dropRawBytes();
    freeLocalHandle();
  }
}
