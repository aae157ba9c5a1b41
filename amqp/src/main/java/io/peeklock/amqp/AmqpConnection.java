package io.peeklock.amqp;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.peeklock.amqp.engine.AmqpEngine;
import io.peeklock.amqp.engine.AmqpError;
import io.peeklock.amqp.engine.EngineConfig;
import io.peeklock.kernel.Effect;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.Sender;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One AMQP connection on its event loop: reads a burst, lets the engine call the {@link
 * EngineEventRouter}, hands over what the burst gathered, writes once. Reading pauses while the
 * shard, the arena or a large body asks for it, and while the client leaves our answers unread.
 */
final class AmqpConnection {
  private static final Logger LOG = LoggerFactory.getLogger(AmqpConnection.class);
  private static final RateLimitedLog FAULTS = new RateLimitedLog(LOG);
  private static final RateLimitedLog UNREADABLE = new RateLimitedLog(LOG);
  private static final RateLimitedLog STALLED = new RateLimitedLog(LOG);

  private AmqpEdge edge;
  private final Channel channel;
  private final Sender sender = new Sender();
  private EventLoopContext loopContext;
  private final AmqpEngine engine;
  private final EngineEventRouter eventRouter;
  final ConnectionRights rights = new ConnectionRights();
  final Set<NodeLink> links = new LinkedHashSet<>();
  final LinkIndex index = new LinkIndex();
  final List<NodeLink> gathered = new ArrayList<>();
  private final Set<NodeLink> unpumped = new LinkedHashSet<>();
  private final Set<ConsumerLink> throttled = new LinkedHashSet<>();
  final Transactions transactions = new Transactions(this);
  final SettleRun settleRun = new SettleRun();
  final Holdings holdings;
  final LargeShare larges = new LargeShare();
  final LinkTracker tracker;
  private final AtomicBoolean lookAgain = new AtomicBoolean();
  private final ConnectionTimer timer;
  private long burstMillis;
  final ReadPauses pauses;
  final FrameReadAhead ahead;
  private final HalfFramePiece halfFrame;
  final Outflow outflow;
  int heldTransfers;
  private boolean writing;
  private boolean counted;
  private boolean over;

  /** On the context's list of connections to write. */
  boolean dirty;

  AmqpConnection(
      AmqpEdge edge,
      EngineConfig config,
      Channel channel,
      Runnable whenAuthorised,
      EdgeNamespaceRouter choice) {
    this.edge = edge;
    this.channel = channel;
    this.pauses = new ReadPauses(channel, this::nowMillis);
    this.outflow = new Outflow(this, channel);
    this.timer = new ConnectionTimer(channel, this::nowMillis, this::checkTimers);
    this.tracker = new LinkTracker(this, edge.settings().times(), whenAuthorised);
    this.eventRouter = new EngineEventRouter(this, choice);
    var trace = edge.traceOf(channel.remoteAddress());
    this.engine = new AmqpEngine(config, channel.alloc(), eventRouter, nowMillis(), trace);
    this.halfFrame = new HalfFramePiece(this);
    this.holdings = new Holdings(edge.budgets(), limits(), engine, halfFrame);
    this.ahead = new FrameReadAhead(engine, pauses, edge.budgets().partialBytes());
    this.loopContext = edge.joined(this, channel.eventLoop());
    checkTimers();
  }

  /** The client belongs to another namespace; before it has links, which stay where they are. */
  void moveTo(AmqpEdge other) {
    edge.left(this);
    edge = other;
    loopContext = other.joined(this, channel.eventLoop());
  }

  AmqpEdge edge() {
    return edge;
  }

  EventLoopContext loopContext() {
    return loopContext;
  }

  Sender sender() {
    return sender;
  }

  AmqpEngine engine() {
    return engine;
  }

  Errors errors() {
    return edge.errors();
  }

  AmqpSettings.Limits limits() {
    return edge.settings().limits();
  }

  Channel channel() {
    return channel;
  }

  /** Monotonic, for timers. */
  long nowMillis() {
    return edge.settings().clock().monotonicMillis();
  }

  /** By the wall, for tokens. */
  long wallMillis() {
    return edge.settings().clock().wallMillis();
  }

  /** Monotonic time of the read burst, for what happens often. */
  long burstMillis() {
    return burstMillis;
  }

  boolean isOver() {
    return over;
  }

  // --- in ---

  void read(ByteBuf bytes) {
    burstMillis = nowMillis();
    guarded(() -> ahead.take(bytes, burstMillis));
  }

  /** A read burst or a run of effects is over: hand over, write. */
  void endBurst() {
    guarded(
        () -> {
          submitGathered();
          write();
          outflow.lookAtUnread();
        });
    loopContext.written();
  }

  /** The socket takes more: the client reads. */
  void writable() {
    if (!outflow.isUnread()) {
      resume(ReadPauses.UNREAD);
    }
    endBurst();
  }

  /** Hears one effect; a fault of this connection must not reach the shard that tells it. */
  void onEffect(NodeLink link, Effect effect, @Nullable Bodies bodies) {
    try {
      link.onEffect(effect, bodies);
    } catch (RuntimeException | Error fault) {
      if (bodies != null) {
        attempt(bodies::drop);
      }
      fail(fault);
    }
  }

  /** Runs a task of this connection's. */
  void perform(Runnable task) {
    guarded(task);
  }

  void submitGathered() {
    for (var i = 0; i < gathered.size(); i++) {
      gathered.get(i).submitIfGathering();
    }
    gathered.clear();
  }

  /** Hands a request over; reading stops when the shard has too much of it. */
  void submit(Submission submission) {
    var hasRoom = true;
    try {
      hasRoom = edge.broker().submit(submission);
    } catch (RuntimeException | Error fault) {
      submission.release();
      throw fault;
    }
    if (!hasRoom) {
      pause(ReadPauses.MAILBOX);
    }
  }

  // --- out ---

  /** Whether deliveries may be written, rather than wait. */
  boolean hasOutputRoom() {
    return outflow.hasRoom(engine.outputBytes());
  }

  /** Asks for {@link NodeLink#pump} once there may be room. */
  void pumpLater(NodeLink link) {
    unpumped.add(link);
  }

  private void write() {
    if (writing) {
      return;
    }
    writing = true;
    try {
      do {
        writeOnce();
      } while (channel.isWritable() && pumpAll());
    } finally {
      writing = false;
    }
    if (engine.isFinished()) {
      finish();
    }
  }

  private void writeOnce() {
    var taken = outflow.whenTaken(); // first: from the next line on the bytes are ours to release
    var out = engine.takeOutput();
    if (out != null) {
      var bytes = out.readableBytes();
      var unused = channel.writeAndFlush(out, taken);
      outflow.wrote(bytes);
    }
    outflow.handedOver();
  }

  /** Lets who waits try again; true when that made output. */
  boolean pumpAll() {
    if (unpumped.isEmpty()) {
      return false;
    }
    var waiting = List.copyOf(unpumped);
    unpumped.clear();
    waiting.forEach(NodeLink::pump);
    return engine.outputBytes() > 0;
  }

  // --- pausing ---

  void pause(int reason) {
    pauses.add(reason);
  }

  void resume(int reason) {
    pauses.remove(reason);
    if (reason == ReadPauses.MAILBOX && !over) {
      ahead.resume(nowMillis());
    }
  }

  /** Stops reading while no bodies may be staged. */
  void pauseWhileArenaIsFull() {
    if (!loopContext.arena.hasRoom()) {
      pauses.whileFull(loopContext.arena, ReadPauses.ARENA);
    }
  }

  /** Counts bytes of deliveries half received, see {@link Holdings#partial}. */
  boolean holdPartial(int bytes) {
    return holdings.partial(bytes);
  }

  /** Whether a link keeps back what its client sent, behind a large message that is synced. */
  boolean holdsTransfers() {
    return heldTransfers > 0;
  }

  // --- links ---

  void joined(NodeLink link) {
    links.add(link);
    index.add(link);
    tracker.linkMade();
  }

  /** The link is over, whoever ended it. */
  void over(NodeLink link) {
    if (links.remove(link)) {
      index.remove(link);
      try {
        link.submitNow(); // it may stay among those that have gathered something: it has not
      } finally {
        unpumped.remove(link);
        outflow.forget(link);
        throttled.remove(link);
        tracker.linkGone();
        link.ended();
      }
    }
  }

  void bodyFailed(NodeLink link, String reason, String condition, String sentence) {
    UNREADABLE.error("A stored message of {} cannot be read: {}", link.address.shown(), reason);
    link.detach(condition, sentence);
  }

  /** Entities were changed or deleted; from the thread of the shard that the context belongs to. */
  void entitiesChanged(EventLoopContext told) {
    if (lookAgain.compareAndSet(false, true)) {
      told.later(this, this::lookAgain);
    }
  }

  private void lookAgain() {
    lookAgain.set(false); // before the look: what changes from here on asks for another one
    var catalogue = edge.broker().catalogue();
    for (var link : List.copyOf(links)) {
      link.entitiesChanged(catalogue);
    }
  }

  /** A management call names a link: it is not idle then (T-61). */
  void touch(String linkName) {
    index.named(linkName).forEach(NodeLink::active);
  }

  // --- time ---

  /** Does what is due and arms the timer for what is next. */
  void checkTimers() {
    if (over) {
      return;
    }
    guarded(
        () -> {
          var now = nowMillis();
          var look = outflow.check(now);
          if (outflow.isStalled()) {
            STALLED.info("A client takes nothing, or too little, of what is sent to it: closed");
            lost();
            return;
          }
          // The engine comes last: what the others close has a deadline of its own.
          var next = Math.min(tracker.check(now), now + expireRights());
          next = Math.min(Math.min(next, look), transactions.check(now));
          next = Math.min(next, now + goOnThrottled());
          timer.set(Math.min(engine.tick(now), next));
          write();
        });
  }

  /** A link waits for credits of the namespace (S-447). */
  void throttled(ConsumerLink link) {
    if (throttled.add(link)) {
      dueIn(edge.throttle().millisToNext());
    }
  }

  /** Milliseconds until there are credits for those that wait. */
  private long goOnThrottled() {
    if (!throttled.isEmpty() && edge.throttle().left() > 0) {
      var links = List.copyOf(throttled);
      throttled.clear();
      links.forEach(ConsumerLink::settled);
      submitGathered();
    }
    return throttled.isEmpty() ? Integer.MAX_VALUE : edge.throttle().millisToNext();
  }

  /** Milliseconds until the next token ends. */
  private long expireRights() {
    var now = wallMillis();
    if (rights.expire(now, holdings)) {
      for (var link : List.copyOf(links)) {
        if (!link.isAllowed(now)) {
          link.detach(Conditions.UNAUTHORIZED, "The token of this link is expired");
        }
      }
    }
    var next = rights.nextEndMillis();
    return next == Long.MAX_VALUE ? Integer.MAX_VALUE : Math.min(next - now, Integer.MAX_VALUE);
  }

  /** Something is due after so long. */
  void dueIn(long millis) {
    timer.dueIn(millis);
  }

  // --- the end ---

  /** Closes with an error. */
  @AnyThread
  void closeSoon(AmqpError error) {
    channel
        .eventLoop()
        .execute(
            () -> {
              guarded(() -> close(error));
              endBurst();
            });
  }

  /** The client has opened it: it counts from now on, or is one too many (S-438). */
  void enter() {
    counted = edge.enter();
    if (!counted) {
      close(
          errors()
              .error(
                  Conditions.RESOURCE_LIMIT_EXCEEDED,
                  "ConnectionsQuotaExceeded for the namespace: at most "
                      + edge.settings().quotas().connections()
                      + " connections are allowed. A retry helps only after one was closed",
                  ""));
    }
  }

  void close(AmqpError error) {
    engine.close(error);
    dueIn(0); // from then on the client's answer is awaited
  }

  /** The socket is gone; what came before is handled first. */
  void gone() {
    ahead.atEnd(this::lost);
  }

  /** The end, without a word. */
  void lost() {
    if (!over) {
      guarded(engine::connectionLost);
      guarded(this::submitGathered);
      finish();
    }
  }

  private void finish() {
    if (over) {
      return;
    }
    over = true;
    attempt(pauses::end);
    attempt(timer::end);
    attempt(ahead::release);
    for (var link : List.copyOf(links)) {
      attempt(() -> over(link)); // each has something of its own to give back
    }
    attempt(engine::connectionLost);
    attempt(halfFrame::close);
    attempt(holdings::giveBack);
    attempt(transactions::giveBackAll);
    attempt(() -> edge.left(this));
    attempt(this::leave);
    var unused = channel.close();
  }

  private void leave() {
    if (counted) {
      counted = false;
      edge.leave();
    }
  }

  /** A fault ends this connection and nothing else; errors too, such as no direct memory. */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error fault) {
      fail(fault);
    }
  }

  /** Something of it has failed: it ends. */
  @EventLoopThread
  void fail(Throwable fault) {
    FAULTS.error(fault, "A connection failed and is closed");
    links.forEach(link -> attempt(link::broken));
    attempt(engine::connectionLost);
    finish();
  }

  private static void attempt(Runnable end) {
    try {
      end.run();
    } catch (RuntimeException | Error again) {
      LOG.debug("A connection failed once more at its end", again);
    }
  }
}
