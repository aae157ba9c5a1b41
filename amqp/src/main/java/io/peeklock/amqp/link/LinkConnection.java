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
 * What a link sees of its connection: whom to hand requests to, what the connection may do and
 * holds, when to read, write and pause, and how to end.
 */
@EventLoopThread
public interface LinkConnection extends EventLoopContext.Member, Outflow.Host {

  /** What it shares with the others of its namespace. */
  EdgeServices edge();

  /** What it shares with the others of its event loop. */
  EventLoopContext loopContext();

  @AnyThread
  Channel channel();

  /** It, for the shard: all its links are one sender. */
  Sender sender();

  /** The rights that its password and its tokens have brought. */
  ConnectionRights rights();

  /** Who keeps count of what it writes. */
  Outflow outflow();

  /** What its large messages take on their way in. */
  LargeShare larges();

  /** By the wall, for tokens. */
  long wallMillis();

  /** Monotonic time of the read burst, for what happens often. */
  long burstMillis();

  /** For how long of its time it did not read because its client leaves our answers unread. */
  @AnyThread
  long unreadMillis(long nowMillis);

  default Errors errors() {
    return edge().errors();
  }

  default AmqpSettings.Limits limits() {
    return edge().settings().limits();
  }

  // --- in ---

  /** Hands a request over; reading stops when the shard has too much of it. */
  void submit(Submission submission);

  /** Asks for {@link NodeLink#submitIfGathering} at the end of the read burst. */
  void gather(NodeLink link);

  /** Hands over what all links have gathered in this read burst. */
  void submitGathered();

  /** Stops reading while no bodies may be staged. */
  void pauseWhileArenaIsFull();

  /** Counts bytes of deliveries half received, see {@link Holdings#partial}. */
  boolean holdPartial(int bytes);

  /** A link keeps back so many transfers more, or fewer, behind a large message that is synced. */
  void holdTransfers(int more);

  /** Whether a link keeps back what its client sent. */
  boolean holdsTransfers();

  // --- out ---

  /** Whether deliveries may be written, rather than wait. */
  boolean hasOutputRoom();

  /** Asks for {@link NodeLink#pump} once there may be room. */
  void pumpLater(NodeLink link);

  /** Lets who waits try again; true when that made output. */
  boolean pumpAll();

  /** Asks for {@link NodeLink#mayDeliverMore} once the namespace has credits (S-447). */
  void throttled(NodeLink link);

  // --- its life ---

  /** A token opened something, or a password was right. */
  void authorised();

  /** A link is made. */
  void joined(NodeLink link);

  /** The link is over, whoever ended it. */
  void over(NodeLink link);

  /** A stored body that a link was to get cannot be read; it ends with an error, logged. */
  void bodyFailed(NodeLink link, String reason, String condition, String sentence);

  /** Closes the connection with an error. */
  void close(AmqpError error);

  /** Ends the connection without a word. */
  void lost();
}
