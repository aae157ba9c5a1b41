package io.peeklock.amqp.request;

import io.peeklock.kernel.request.Ticket;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client to a node that the shard is working on.
 *
 * @param messageId to be echoed
 * @param replyTo which reply link hears it
 * @param count how many tokens or numbers it named
 * @param reserved bytes of its answer that are counted before anything is read for it
 */
public record Call(@Nullable Object messageId, @Nullable String replyTo, int count, long reserved)
    implements Ticket {

  /** Of a request, with an answer of a few bytes. */
  public static Call of(RequestMessage request, int count) {
    return of(request, count, 0);
  }

  public static Call of(RequestMessage request, int count, long reserved) {
    return new Call(request.messageId(), request.replyTo(), count, reserved);
  }
}
