package io.peeklock.runtime.message;

import io.peeklock.kernel.request.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Sends, receives and settles one request at a time, for those who keep no link open: HTTP, the
 * console, a test. Locks and their tokens are the same as those of links. Callable from any thread;
 * what comes back is completed on one of the broker's event loops, the caller's own when it is one.
 *
 * <p>An address is the path of an entity, with a sub-queue behind it where that is meant; case is
 * ignored. Who may do what was asked before.
 */
public interface Messages {

  /**
   * Sends messages, all or none (S-405), in their order.
   *
   * @param messages at least one
   * @return how many it were
   */
  CompletableFuture<Answer<Integer>> send(String address, List<OutgoingMessage> messages);

  /**
   * Begins to send a message whose body follows. To be called on an event loop of the broker's.
   * What can be known now is judged now, and all of it again when the message is decided.
   *
   * @param message all of it but the body, which is empty
   * @param bodyBytes how long the body will be; below 0 when nobody knows
   */
  Answer<BodyIntake> begin(String address, OutgoingMessage message, long bodyBytes);

  /**
   * Waits for one message.
   *
   * @return the message, or nothing when none came in time. Whoever cancels the future before it is
   *     complete wants no message any more: one that is locked by then is free again without a
   *     count
   */
  CompletableFuture<Answer<Optional<ReceivedMessage>>> receive(ReceiveOrder order);

  /**
   * Ends the lock that a token stands for.
   *
   * @param token of a message of this queue; any other one is lost here (S-502)
   * @return how it was ended
   */
  CompletableFuture<Answer<Settlement>> settle(String address, UUID token, Settlement settlement);

  /**
   * Extends a lock to now plus the lock duration (S-105).
   *
   * @return when it lapses now
   */
  CompletableFuture<Answer<Instant>> renew(String address, UUID token);
}
