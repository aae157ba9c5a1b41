package io.peeklock.amqp.deliver;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.link.AttachReply;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.amqp.limit.HeldClock;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkKind;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.amqp.message.PendingBurst;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.DeliveryPortion;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.Right;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A link on which a client receives from a queue. Its credit goes to the shard, which decides what
 * each receiver gets; deliveries wait here, pinned, until credit, window and socket have room.
 */
public final class ConsumerLink extends NodeLink implements LargeDelivery.Receiver {
  private static final String STOPPED =
      "Receiving from this entity is stopped: a stored message cannot be read. A retry helps only"
          + " after the broker's files were repaired and it was started again";

  private static final String LETS_NOTHING_THROUGH =
      "Messages were given to this receiver, and for "
          + HeldClock.MOST_MILLIS / 1_000
          + " seconds its credit or its session's incoming window let none of them through, while"
          + " others wait for their room";

  /** The largest message size that an attach can name. */
  public static final long UNLIMITED = -1;

  private static final String LOST = "The session lock has expired";

  private static final String TAKEN_OVER =
      "The session was taken over by another receiver, which had its token";

  /** For how long a receive-and-delete link stays after the lock of its session. */
  private static final long GRACE_MILLIS = 1_000;

  private static final long TAG_PREFIX = ThreadLocalRandom.current().nextLong();

  private final SendingLink link;
  private final QueueId queue;
  private final ReceiveMode mode;
  private final @Nullable SessionClaim claim;
  private final String countedBy;
  private final SessionHolders holders;
  private @Nullable String sessionId;
  private final ShardPort port = new ShardPort(this);
  private final ArrayDeque<PendingBurst> pending = new ArrayDeque<>();
  private final Settlements settlements;
  private final @Nullable DeliveredKeys keys; // of a partitioned entity
  private final CreditTracker demand = new CreditTracker();
  private final HeldClock held;
  private @Nullable LargeDelivery large;
  private int pendingCount;
  private int halfOut; // bytes of the delivery whose last frames wait in the engine
  private long writtenBytes;
  private long leavingBytes;
  private long tags;
  private boolean hasLostSession;
  private boolean over;

  /**
   * A link that {@link #open} starts.
   *
   * @param claim the session that it asks for; null for a queue without sessions
   * @param countedBy the path under which it is counted as a receiver
   */
  public ConsumerLink(
      LinkConnection connection,
      EntityAddress address,
      SendingLink link,
      QueueId queue,
      ReceiveMode mode,
      @Nullable SessionClaim claim,
      String countedBy,
      ReceiverServices services) {
    super(connection, address);
    this.countedBy = countedBy;
    this.holders = services.holders();
    this.claim = claim;
    this.link = link;
    this.held = new HeldClock(link);
    this.queue = queue;
    this.mode = mode;
    this.keys = isPartitioned(connection, address) ? new DeliveredKeys(link) : null;
    this.settlements = new Settlements(this, link, port, queue, services, keys);
  }

  private static boolean isPartitioned(LinkConnection connection, EntityAddress address) {
    var entry = address.entryIn(connection.edge().broker().catalogue());
    return entry != null && entry.definition().partitioned();
  }

  @Override
  public LinkKind kind() {
    return LinkKind.RECEIVER;
  }

  @Override
  public SendingLink link() {
    return link;
  }

  @Override
  public Right needs() {
    return Right.LISTEN;
  }

  public ShardPort port() {
    return port;
  }

  /**
   * Opens the receiver before any credit, or asks for a session, whose answer completes the attach.
   */
  public void open() {
    submit(
        claim == null
            ? new Request.OpenReceiver(port, queue, mode)
            : new Request.AcceptSession(
                port, claim, queue, claim.sessionId(), mode, claim.waitMillis(), claim.shared()));
  }

  private void hold(@Nullable String session) {
    if (sessionId != null) {
      holders.lost(port, queue, sessionId);
    }
    sessionId = session;
    if (session != null && !over) {
      holders.holds(port, queue, session);
    }
  }

  /** Whether it holds a session of this queue. */
  public boolean holdsAny(QueueId ofQueue) {
    return queue.equals(ofQueue) && sessionId != null;
  }

  private void submit(Request request) {
    connection.submit(Submission.of(request));
  }

  // --- demand ---

  @Override
  public void credit(long deliveryLimit, boolean drain) {
    if (hasLostSession && drain) {
      detach(Conditions.SESSION_LOCK_LOST, LOST);
      return;
    }
    demand.asked(deliveryLimit, drain);
    gatherLater();
    // Deliveries beyond a lowered credit go back once the shard knows of it.
    if (pendingCount > 0) {
      connection.pumpLater(this);
    }
  }

  private long taken() {
    return link.deliveredCount() + pendingCount;
  }

  private void submitDemand() {
    var room = (long) connection.limits().unsettledPerLink() - link.unsettledCount();
    var cap = Math.min(link.deliveredCount() + Math.max(0, room), taken() + credits());
    var next = demand.next(taken(), cap);
    if (next != null) {
      submit(new Request.Flow(port, next.limit(), next.drain()));
    }
    if (demand.isCapped() && connection.edge().throttle().isOn()) {
      connection.throttled(this);
    }
  }

  /** How many deliveries the namespace may still make in this second (S-447). */
  private long credits() {
    var throttle = connection.edge().throttle();
    return throttle.isOn() ? throttle.left() : Integer.MAX_VALUE;
  }

  // --- effects of the shard ---

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (effect instanceof Effect.Delivered delivered && bodies != null) {
      demand.given(delivered.messages().count());
      connection.edge().throttle().owe(delivered.messages().count());
      delivered(delivered.messages(), bodies);
      return;
    }
    if (bodies != null) {
      try {
        settlements.onEffect(effect, bodies);
      } finally {
        bodies.release();
      }
      return;
    }
    if (effect instanceof Effect.Drained) {
      demand.drained();
      answerDrain();
      gatherLater();
    } else if (effect instanceof Effect.SessionAccepted accepted && claim != null) {
      accepted(accepted, claim);
    } else if (effect instanceof Effect.SessionLost lost) {
      sessionLost(lost);
    } else if (effect instanceof Effect.ReceiverEnded ended) {
      hold(null);
      var shape = RefusalConditions.of(ended.refusal(), address.shown(), connection.errors());
      detach(shape.condition(), shape.sentence());
    } else if (effect instanceof Effect.Refused refused && refused.ticket().equals(claim)) {
      var shape = RefusalConditions.of(refused.refusal(), address.shown(), connection.errors());
      link.refuse(connection.errors().error(shape.condition(), shape.sentence(), address.shown()));
      connection.over(this);
    } else {
      settlements.onEffect(effect, null);
    }
  }

  /**
   * Detaches the link; a receive-and-delete one a little later when the lock ended, as it has
   * nothing whose lock it lost, and a client that waits for as long as a lock lasts would often be
   * told so on the way out (S-251).
   */
  private void sessionLost(Effect.SessionLost lost) {
    hold(null);
    if (lost.isTakenOver()) { // S-517
      detach(Conditions.SESSION_LOCK_LOST, TAKEN_OVER);
    } else if (mode == ReceiveMode.RECEIVE_AND_DELETE) {
      hasLostSession = true;
      connection.detachIn(GRACE_MILLIS, this, Conditions.SESSION_LOCK_LOST, LOST);
    } else {
      detach(Conditions.SESSION_LOCK_LOST, LOST);
    }
  }

  private void accepted(Effect.SessionAccepted session, SessionClaim asked) {
    hold(session.sessionId());
    if (over || !link.accept(asked.reply(AttachReply.ofMaxMessageSize(UNLIMITED), session))) {
      connection.over(this);
    }
  }

  private void delivered(MessageBurst messages, Bodies bodies) {
    pending.add(PendingBurst.of(messages, bodies, connection.loopContext().tokens));
    pendingCount += messages.count();
    if (over) {
      giveUpPending();
    } else {
      pump();
    }
  }

  // --- out ---

  @Override
  public void pump() {
    countHalfOut();
    if (large != null) {
      large.resume();
    }
    while (large == null && !pending.isEmpty() && mayDeliver()) {
      deliverOne(pending.element());
    }
    trimToCredit();
    if (holds()) {
      connection.pumpLater(this);
      if (connection.outflow().watch(this)) {
        held.restart(connection.nowMillis());
      }
    }
    answerDrain();
  }

  private boolean holds() {
    return large != null || halfOut > 0 || !pending.isEmpty();
  }

  private boolean mayDeliver() {
    return link.canSend() && connection.hasOutputRoom();
  }

  private void deliverOne(PendingBurst burst) {
    var body = burst.takeLarge();
    var settled = mode == ReceiveMode.RECEIVE_AND_DELETE;
    if (body != null) {
      var started =
          new LargeDelivery(
              this, link, port, this, burst, body, tagHigh(burst), tagLow(burst), settled);
      large = started;
      burst.tellUncounted(port, connection::submit);
      started.resume();
      return;
    }
    var out = link.beginDelivery(burst.lockId(), tagHigh(burst), tagLow(burst), settled);
    try {
      burst.write(out, connection.loopContext().writer);
    } catch (AmqpDecodeException unreadable) {
      link.cancelDelivery(); // any other fault is this connection's: others can have the message
      var reason = String.valueOf(unreadable.getMessage());
      connection.edge().broker().unreadable(port, reason);
      unreadable(reason);
      return;
    }
    var deliveryId = link.endDelivery();
    if (keys != null && !settled) {
      keys.note(deliveryId, burst.beginning());
    }
    sent(burst);
  }

  /** The delivery tag. Receive-and-delete has no lock: any unique tag will do. */
  private long tagHigh(PendingBurst burst) {
    var minted = burst.tags();
    return minted == null ? TAG_PREFIX : LockTokens.high(minted, burst.next());
  }

  private long tagLow(PendingBurst burst) {
    var minted = burst.tags();
    return minted == null ? ++tags : LockTokens.low(minted, burst.next());
  }

  /** Notes that the next message of a burst is written. */
  private void sent(PendingBurst burst) {
    if (link.isHalfWay()) {
      halfOut = burst.bytes();
    } else {
      count(burst.countedBytes());
    }
    burst.advance();
    pendingCount--;
    active();
    dropIfDone(burst);
  }

  /**
   * Counts bytes that left. They are reported to the shard in portions, and smaller amounts after a
   * short time, so that small messages do not cause a report each.
   */
  private void count(int bytes) {
    var before = writtenBytes;
    writtenBytes += bytes;
    connection.outflow().counted(bytes);
    var portion = DeliveryPortion.BYTES;
    if (before < portion && writtenBytes >= portion) {
      connection.outflow().reportSoon(this);
    } else if (before == 0) {
      connection.outflow().reportLate(this);
    }
  }

  /** Counts the rest of a delivery until the window has let it out. */
  private void countHalfOut() {
    if (halfOut > 0 && !link.isHalfWay()) {
      count(halfOut);
      halfOut = 0;
    }
  }

  private void dropIfDone(PendingBurst burst) {
    if (burst.isDone()) {
      pending.remove(burst);
      burst.release();
    }
  }

  /** Uses a condition that clients do not retry by themselves, as that would fail again. */
  @Override
  public void unreadable(String reason) {
    if (claim != null && sessionId == null && !over) { // the attach is not answered yet
      link.refuse(connection.errors().error(Conditions.ENTITY_DISABLED, STOPPED, address.shown()));
      connection.over(this);
      return;
    }
    connection.bodyFailed(this, reason, Conditions.ENTITY_DISABLED, STOPPED);
  }

  @Override
  public void largeBegins(int deliveryId, ByteBuf beginning) {
    if (keys != null && mode == ReceiveMode.PEEK_LOCK) {
      keys.note(deliveryId, ByteBufUtil.getBytes(beginning));
    }
  }

  @Override
  public void largeEnded(PendingBurst burst) {
    large = null;
    if (!over) {
      sent(burst);
      connection.pumpAll();
      pump();
    }
  }

  @Override
  public void largeFailed(PendingBurst burst, String reason) {
    large = null;
    if (!over) {
      if (mode == ReceiveMode.PEEK_LOCK) {
        giveBack(burst, burst.next(), burst.next() + 1, burst.countedBytes());
      }
      burst.advance();
      pendingCount--;
      dropIfDone(burst);
      connection.edge().broker().unreadable(port, reason);
    }
  }

  @Override
  public long takeWritten() {
    var taken = writtenBytes;
    writtenBytes = 0;
    leavingBytes += taken;
    return taken;
  }

  @Override
  public void left(long bytes) {
    if (!over) {
      leavingBytes -= bytes;
      connection.outflow().counted(-bytes);
      submit(new Request.Transferred(port, bytes));
    }
  }

  // --- deliveries given back ---

  @Override
  public boolean checkHeld(long nowMillis) {
    countHalfOut();
    if (!holds()) {
      return false;
    }
    var halfWay = large != null || halfOut > 0;
    var isOver = held.isOver(nowMillis, halfWay, connection.channel().isWritable());
    if (isOver) {
      detach(Conditions.RESOURCE_LIMIT_EXCEEDED, LETS_NOTHING_THROUGH);
    }
    return !isOver;
  }

  @Override
  public long heldBytes() {
    var sum = (long) halfOut;
    for (var burst : pending) {
      sum += burst.bytes(burst.next(), burst.end());
    }
    return large == null ? sum : sum - pending.element().bytes() + pending.element().countedBytes();
  }

  /**
   * Gives back peek-lock messages beyond a lowered credit; receive-and-delete ones wait for credit.
   */
  private void trimToCredit() {
    // A limit may be 2^32 away, so that the difference is no int before it is cut.
    var excess = Math.clamp(taken() - link.deliveryLimit(), 0, pendingCount);
    if (mode != ReceiveMode.PEEK_LOCK || excess <= 0) {
      return;
    }
    submitDemand();
    while (excess > 0) {
      var burst = pending.getLast();
      var inFlight = large != null && pending.size() == 1 ? 1 : 0;
      var cut = burst.cut(Math.min(excess, burst.left() - inFlight));
      if (cut == 0) {
        return;
      }
      giveBack(burst, burst.end(), burst.end() + cut);
      excess -= cut;
      pendingCount -= cut;
      dropIfDone(burst);
    }
  }

  private void giveBack(PendingBurst burst, int from, int to) {
    giveBack(burst, from, to, burst.bytes(from, to));
  }

  private void giveBack(PendingBurst burst, int from, int to, long bytes) {
    demand.returned(to - from);
    submit(new Request.Undelivered(port, burst.locks(from, to), to - from, bytes));
  }

  private void giveUpPending() {
    for (var burst : pending) {
      if (mode == ReceiveMode.PEEK_LOCK && burst.left() > 0) {
        giveBack(burst, burst.next(), burst.end());
      }
      burst.release();
    }
    pending.clear();
    pendingCount = 0;
  }

  /** Its end is told behind all frames of the last delivery (S-087). */
  private void answerDrain() {
    if (holds() || !demand.drainIsDone(link.deliveryLimit())) {
      return;
    }
    if (link.isDraining()) {
      link.drained();
    } else {
      demand.takenBack();
      gatherLater();
    }
  }

  // --- settlements ---

  @Override
  public void disposition(int deliveryId, long context, PeerState state, boolean settled) {
    settlements.disposition(deliveryId, context, state, settled);
  }

  @Override
  public void submitGathered() {
    settlements.submit();
    submitDemand();
  }

  @Override
  public void mayDeliverMore() {
    if (demand.isCapped()) {
      gatherLater();
    }
  }

  @Override
  public void ended() {
    over = true;
    hold(null);
    connection.edge().receivers().leave(countedBy);
    if (large != null) {
      large.end();
      large = null;
    }
    connection.outflow().counted(-writtenBytes - leavingBytes);
    giveUpPending();
    submit(new Request.CloseReceiver(port));
  }
}
