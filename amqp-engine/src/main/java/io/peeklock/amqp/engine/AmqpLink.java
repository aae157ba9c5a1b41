package io.peeklock.amqp.engine;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One AMQP link, seen from us: we receive on a {@link ReceivingLink} (the client sends), and send
 * on a {@link SendingLink}.
 */
public abstract sealed class AmqpLink permits ReceivingLink, SendingLink {
  /** {@link #senderSettleMode}, {@link #receiverSettleMode}: the client said nothing. */
  public static final int MODE_NULL = -1;

  /** {@code snd-settle-mode} unsettled, {@code rcv-settle-mode} first. */
  public static final int MODE_ZERO = 0;

  /** {@code snd-settle-mode} settled, {@code rcv-settle-mode} second. */
  public static final int MODE_ONE = 1;

  /** {@code snd-settle-mode} mixed. */
  public static final int MODE_TWO = 2;

  AmqpLink() {}

  public final AmqpSession session() {
    throw new UnsupportedOperationException();
  }

  /** As the client named it. Not unique (amqp.md 3.2). */
  public final String name() {
    throw new UnsupportedOperationException();
  }

  /** As asked: {@link #MODE_NULL}, 0 unsettled, 1 settled, 2 mixed. Echoed as it is. */
  public final int senderSettleMode() {
    throw new UnsupportedOperationException();
  }

  /** As asked: {@link #MODE_NULL}, 0 first, 1 second. Echoed as it is. */
  public final int receiverSettleMode() {
    throw new UnsupportedOperationException();
  }

  /** What the client asked for; null when it said null. */
  public final Terminus.@Nullable Source source() {
    throw new UnsupportedOperationException();
  }

  /**
   * A {@link Terminus.Target} or a {@link Terminus.Coordinator}; null when the client said null.
   */
  public final @Nullable Terminus target() {
    throw new UnsupportedOperationException();
  }

  /** Whether the target is the transaction coordinator. */
  public final boolean isCoordinator() {
    throw new UnsupportedOperationException();
  }

  /** The client's link properties; keys as texts; empty when null. */
  public final Map<String, @Nullable Object> properties() {
    throw new UnsupportedOperationException();
  }

  /** The client's {@code max-message-size}, unsigned; 0 for none. */
  public final long maxMessageSize() {
    throw new UnsupportedOperationException();
  }

  /** Whether the link was accepted and is not over. */
  public final boolean isAttached() {
    throw new UnsupportedOperationException();
  }

  /** Whether the client waits for {@link #accept} or {@link #refuse}. */
  public final boolean isPending() {
    throw new UnsupportedOperationException();
  }

  /** What the edge keeps with this link; null at first. */
  public final @Nullable Object attachment() {
    throw new UnsupportedOperationException();
  }

  public final void attach(@Nullable Object attachment) {
    throw new UnsupportedOperationException();
  }

  /**
   * Accepts the link: writes the attach reply with all fields. Credit that the client gave before
   * is told to {@link EngineListener#onCredit} before this returns.
   *
   * @return false when the link is no longer {@link #isPending}; then nothing was done
   */
  public final boolean accept(AttachReply reply) {
    throw new UnsupportedOperationException();
  }

  /**
   * Refuses the link: an attach with null source and target and a detach with the error, next to
   * each other (T-24).
   *
   * @return false when the link is no longer {@link #isPending}; then nothing was done
   */
  public final boolean refuse(AmqpError error) {
    throw new UnsupportedOperationException();
  }

  /**
   * Detaches, always with closed=true; does not wait for the client's answer. Unsettled deliveries
   * are forgotten: late dispositions for them are ignored. A pending link is refused, with {@code
   * amqp:link:detach-forced} when there is no error. Does nothing on a link that is over.
   */
  public final void detach(@Nullable AmqpError error) {
    throw new UnsupportedOperationException();
  }
}
