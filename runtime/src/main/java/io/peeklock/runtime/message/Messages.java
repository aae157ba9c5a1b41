package io.peeklock.runtime.message;

import io.peeklock.kernel.request.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Sends, receives and settles messages, one request at a time and without a link: for HTTP, the
 * console, tests. Locks and tokens are the same as those of links. Callable from any thread;
 * futures complete on one of the broker's event loops, the caller's own if it is one.
 *
 * <p>An address is the path of an entity, followed by a sub-queue if that is meant; case is
 * ignored. The caller must have checked the client's rights.
 */
public interface Messages {

  /**
   * Sends messages, all or none (S-405), in their order.
   *
   * @param messages at least one
   * @return how many were sent
   */
  CompletableFuture<Answer<Integer>> send(String address, List<OutgoingMessage> messages);

  /**
   * Begins to send a message whose body follows. Must be called on an event loop of the broker.
   * What can be checked now is checked now, and all of it again when the message is decided.
   *
   * @param message the message with an empty body
   * @param bodyBytes the length of the body; below 0 when it is unknown
   */
  Answer<BodyIntake> begin(String address, OutgoingMessage message, long bodyBytes);

  /**
   * Waits for one message.
   *
   * @return the message, or empty when none came in time. Cancelling the future ends the wait: a
   *     message that is locked by then is available again without a failed attempt
   */
  CompletableFuture<Answer<Optional<ReceivedMessage>>> receive(ReceiveOrder order);

  /**
   * Looks at messages in any state without changing them (S-218), in the order of their numbers.
   *
   * @param fromSequenceNumber the first number to look at
   * @param most how many at most, from 1; fewer come when they are large
   * @return the messages, without locks; empty when there are none from this number on. One that is
   *     too large to be held in memory comes without properties and body
   */
  CompletableFuture<Answer<List<ReceivedMessage>>> peek(
      String address, long fromSequenceNumber, int most);

  /**
   * Settles the message whose lock has this token.
   *
   * @param token the token of a message of this queue; a token of another queue counts as lost
   *     (S-502)
   * @return the settlement that was made
   */
  CompletableFuture<Answer<Settlement>> settle(String address, UUID token, Settlement settlement);

  /**
   * Extends a lock to now plus the lock duration (S-105).
   *
   * @return when it lapses now
   */
  CompletableFuture<Answer<Instant>> renew(String address, UUID token);
}
