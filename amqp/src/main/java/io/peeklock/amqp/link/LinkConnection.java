package io.peeklock.amqp.link;

import io.netty.channel.Channel;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.error.Errors;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.limit.Holdings;
import io.peeklock.amqp.limit.LargeShare;
import io.peeklock.runtime.Sender;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;

/**
 * The connection as its links see it: where requests go, its rights and holdings, when to read,
 * write and pause, and how to end.
 */
@EventLoopThread
public interface LinkConnection extends EventLoopContext.Member, Outflow.Host {

  /** The services that all connections of its namespace share. */
  EdgeServices edge();

  /** The context that all connections of its event loop share. */
  EventLoopContext loopContext();

  @AnyThread
  Channel channel();

  /** The sender of its requests: all its links are one sender. */
  Sender sender();

  /** The rights of its password and its tokens. */
  ConnectionRights rights();

  /** Tracks what it writes. */
  Outflow outflow();

  /** The budget of its arriving large messages. */
  LargeShare larges();

  /** Wall time in UTC milliseconds, for tokens. */
  long wallMillis();

  /** Monotonic time of the read burst in milliseconds, cheap enough for every frame. */
  long burstMillis();

  /** The total time for which it did not read because its client leaves answers unread. */
  @AnyThread
  long unreadMillis(long nowMillis);

  default Errors errors() {
    return edge().errors();
  }

  default AmqpSettings.Limits limits() {
    return edge().settings().limits();
  }

  // --- in ---

  /** Submits a request; reading stops when the shard has too much of it. */
  void submit(Submission submission);

  /** Asks for {@link NodeLink#submitIfGathering} at the end of the read burst. */
  void gather(NodeLink link);

  /** Submits what all links have gathered in this read burst. */
  void submitGathered();

  /** Stops reading while no bodies may be staged. */
  void pauseWhileArenaIsFull();

  /** Counts bytes of half-received deliveries, see {@link Holdings#partial}. */
  boolean holdPartial(int bytes);

  /**
   * Changes the number of transfers that links hold back behind large messages that are being
   * synced.
   */
  void holdTransfers(int more);

  /** Whether any link holds transfers back. */
  boolean holdsTransfers();

  // --- out ---

  /** Whether deliveries may be written now. */
  boolean hasOutputRoom();

  /** Asks for {@link NodeLink#pump} once there may be room. */
  void pumpLater(NodeLink link);

  /** Lets waiting links try again; true when that made output. */
  boolean pumpAll();

  /** Asks for {@link NodeLink#mayDeliverMore} once the namespace has credits (S-447). */
  void throttled(NodeLink link);

  // --- its life ---

  /** Notes a valid token or password. */
  void authorised();

  /** Adds a link. */
  void joined(NodeLink link);

  /** Removes a link that ended, on either side. */
  void over(NodeLink link);

  /** Detaches a link after some time, unless it has ended by then. */
  void detachIn(long millis, NodeLink link, String condition, String sentence);

  /** Ends a link with a logged error, because a stored body for it cannot be read. */
  void bodyFailed(NodeLink link, String reason, String condition, String sentence);

  /** Closes the connection with an error. */
  void close(AmqpError error);

  /** Ends the connection without a close frame. */
  void lost();
}
