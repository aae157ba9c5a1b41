package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.messaging.PeerState;
import org.jspecify.annotations.Nullable;

/** The callbacks of links; see {@link SessionListener} for when and on which thread. */
public interface LinkListener {
  /**
   * A link is over; if the client detached, the answer is written, always with closed=true; else a
   * detach with the reason is. Also comes for links that were not answered yet; a later {@code
   * accept} then does nothing.
   *
   * @param error what the client said, else null
   */
  void onDetach(AmqpLink link, @Nullable AmqpError error);

  /**
   * A client receiver changed its credit or asked to drain. Not called for a FLOW that restates
   * what is known, except when it drains. May come from inside of {@code accept} when the FLOW was
   * there before the answer.
   *
   * @param deliveryLimit how many deliveries may have been made over the life of the link; compare
   *     with {@code link.deliveredCount()}. Absolute, so saying it twice changes nothing (T-27).
   *     May be below the count: then nothing may be sent
   * @param drain send what is there, then call {@code link.drained()}, also when credit is 0 (T-28)
   */
  void onCredit(SendingLink link, long deliveryLimit, boolean drain);

  /**
   * A client settled a delivery, or asks for it. Called once per delivery and hit; ids that are
   * unknown, settled, or already reported are left out (T-69). For a range the state was decoded
   * once. Not called for state null or {@code received} without settled.
   *
   * @param deliveryId for {@code link.settle}
   * @param context what was given to {@code beginDelivery}
   * @param state valid only during the call; {@code NONE} only when settled
   * @param settled true: the client forgot the delivery, no answer is wanted (the engine forgot it
   *     too). False: answer with {@code link.settle} exactly once, now or later
   */
  void onDisposition(
      SendingLink link, int deliveryId, long context, PeerState state, boolean settled);
}
