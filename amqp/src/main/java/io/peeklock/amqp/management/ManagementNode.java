package io.peeklock.amqp.management;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.request.ReplyLink;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Origin;
import io.peeklock.runtime.access.Right;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** What management requests and their answers see of the node that they came to (amqp.md 7). */
@EventLoopThread
interface ManagementNode {

  /** The connection. */
  LinkConnection host();

  /** The link that requests came on, as a transaction knows it. */
  NodeLink asLink();

  /** The node, for the shard. */
  ShardPort port();

  /** The queue that it manages. */
  QueueId queue();

  /** That queue as it is now. */
  QueueDefinition definition();

  EntityAddress address();

  /** Whether its messages are received through sessions; dead letters are not. */
  boolean hasSessions();

  /**
   * Refuses whoever has not this right on the node.
   *
   * @param right null for any
   * @throws BadRequest with status 401
   */
  void need(@Nullable Right right);

  /** The receiver of this connection that holds a session of the queue; null for none. */
  @Nullable Origin holderOf(String sessionId);

  /** The same, of whatever session, by the name of its link; null for none. */
  @Nullable Origin holderOnLink(@Nullable String linkName);

  /** The transaction that the request at hand is part of, null for none. */
  @Nullable TransactionId transaction();

  /** Those of the connection. */
  Transactions transactions();

  // --- answers ---

  /** Where the answer goes; null when nobody listens. */
  @Nullable ReplyLink replyLink(@Nullable String replyTo);

  /** Answers 200; the body is a map, maybe empty. */
  void ok(Call call, ToIntFunction<ByteBuf> entries);

  /** Answers 204 (S-224, T-48). */
  void noContent(Call call);

  /** Answers with a list of no messages (S-209). */
  void emptyList(Call call);

  /** Answers that a transaction does not take it. */
  void fail(Call call, MessageProblem problem);

  /**
   * Sends an answer with messages, which is counted already as far as it was reserved.
   *
   * @param answer stays the caller's
   * @param mustGo whether it goes although it is larger than there is room for
   * @return false when it did not go, so that nobody has the messages
   */
  boolean send(Call call, ByteBuf answer, boolean mustGo);

  /** An answer was sent, or will not be, without what was reserved for it. */
  void answered(Call call);

  /** The messages of an answer that nobody gets are free again, without a count. */
  void undelivered(MessageBurst messages);

  /** A stored message for an answer cannot be read. */
  void unreadable(String reason);
}
