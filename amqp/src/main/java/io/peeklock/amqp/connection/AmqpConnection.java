package io.peeklock.amqp.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.peeklock.amqp.engine.AmqpEngine;
import io.peeklock.amqp.engine.PeerOpen;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.Errors;
import io.peeklock.amqp.limit.Holdings;
import io.peeklock.amqp.limit.LargeShare;
import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.amqp.link.ConnectionRights;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkIndex;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.Outflow;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.Sender;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.meter.RoomMeter;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One AMQP connection on its event loop: reads a burst, lets the engine call the {@link
 * EngineEventRouter}, submits what the burst gathered, and writes once. Reading pauses while the
 * shard, the arena or a large body asks for it, and while the client leaves answers unread.
 */
public final class AmqpConnection implements LinkConnection, LiveConnection {
  private static final Logger LOG = LoggerFactory.getLogger(AmqpConnection.class);
  private static final RateLimitedLog FAULTS = new RateLimitedLog(LOG);
  private static final RateLimitedLog UNREADABLE = new RateLimitedLog(LOG);
  private static final RateLimitedLog STALLED = new RateLimitedLog(LOG);

  private ConnectionEdge edge;
  private final Channel channel;
  private final Sender sender = new Sender();
  private EventLoopContext loopContext;
  private final AmqpEngine engine;
  private final EngineEventRouter eventRouter;
  private final ConnectionDescriber describer;
  private final ConnectionRights rights = new ConnectionRights();
  private final Set<NodeLink> links = new LinkedHashSet<>();
  private final LinkIndex index = new LinkIndex();
  private final List<NodeLink> gathered = new ArrayList<>();
  private final Set<NodeLink> unpumped = new LinkedHashSet<>();
  private final Set<NodeLink> throttled = new LinkedHashSet<>();
  private final Transactions transactions = new Transactions(this, index);
  private final Holdings holdings;
  private final LargeShare larges = new LargeShare();
  private final LinkTracker tracker;
  private final LateDetaches lateDetaches = new LateDetaches();
  private final AtomicBoolean lookAgain = new AtomicBoolean();
  private final ConnectionTimer timer;
  private @Nullable Errors errors;
  private long burstMillis;
  private final ReadPauses pauses;
  private final FrameReadAhead ahead;
  private final HalfFramePiece halfFrame;
  private final Outflow outflow;
  private int heldTransfers;
  private boolean writing;
  private boolean counted;
  private boolean over;
  private boolean dirty;

  /**
   * A new connection, registered at its edge.
   *
   * @param whenAuthorised run once, when the client has logged in or put its first valid token
   * @param choice finds the namespace that the client names
   */
  public AmqpConnection(
      ConnectionEdge edge,
      EngineConfig config,
      Channel channel,
      Runnable whenAuthorised,
      EdgeNamespaceRouter choice) {
    this.edge = edge;
    this.channel = channel;
    this.pauses = new ReadPauses(channel, this::nowMillis);
    this.outflow = new Outflow(this, channel);
    this.timer = new ConnectionTimer(channel, this::nowMillis, this::checkTimers);
    this.tracker = new LinkTracker(this, links, edge.settings().times(), whenAuthorised);
    this.eventRouter = new EngineEventRouter(this, choice, new Attacher(this, index, transactions));
    var trace = edge.traceOf(channel.remoteAddress());
    this.engine = new AmqpEngine(config, channel.alloc(), eventRouter, nowMillis(), trace);
    this.halfFrame = new HalfFramePiece(this);
    this.holdings = new Holdings(edge.budgets(), limits(), engine, halfFrame);
    this.ahead = new FrameReadAhead(engine, pauses, edge.budgets().partialBytes());
    this.describer = new ConnectionDescriber(wallMillis());
    this.loopContext = edge.joined(this, channel.eventLoop());
    checkTimers();
  }

  /** Moves the connection to another namespace; only before it has links, which cannot move. */
  void moveTo(ConnectionEdge other) {
    edge.left(this);
    edge = other;
    loopContext = other.joined(this, channel.eventLoop());
  }

  /** Notes by which name its client calls the broker, once the namespace is known. */
  void calledBy(@Nullable String host) {
    errors = edge.errors().calledBy(host);
  }

  @Override
  public Errors errors() {
    var ofThisName = errors;
    return ofThisName == null ? edge.errors() : ofThisName;
  }

  @Override
  public ConnectionEdge edge() {
    return edge;
  }

  @Override
  public EventLoopContext loopContext() {
    return loopContext;
  }

  @Override
  public Sender sender() {
    return sender;
  }

  AmqpEngine engine() {
    return engine;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public long nowMillis() {
    return edge.settings().clock().monotonicMillis();
  }

  @Override
  public long wallMillis() {
    return edge.settings().clock().wallMillis();
  }

  @Override
  public long burstMillis() {
    return burstMillis;
  }

  boolean isOver() {
    return over;
  }

  @Override
  public ConnectionRights rights() {
    return rights;
  }

  @Override
  public Holdings holdings() {
    return holdings;
  }

  @Override
  public LargeShare larges() {
    return larges;
  }

  @Override
  public Outflow outflow() {
    return outflow;
  }

  @Override
  public RoomMeter room() {
    return edge.broker().room();
  }

  @Override
  public int outputBytes() {
    return engine.outputBytes();
  }

  @Override
  public long transferredBytes() {
    return engine.transferredBytes();
  }

  @Override
  public long unreadMillis(long nowMillis) {
    return pauses.unreadMillis(nowMillis);
  }

  @Override
  public boolean markDirty(boolean isDirty) {
    var isNews = dirty != isDirty;
    dirty = isDirty;
    return isNews;
  }

  @Override
  public void authorised() {
    tracker.authorised();
  }

  // --- in ---

  /** Whether received frames have to wait. */
  boolean isFull() {
    return ahead.isFull();
  }

  @Override
  public void gather(NodeLink link) {
    gathered.add(link);
  }

  @Override
  public void holdTransfers(int more) {
    heldTransfers += more;
  }

  void read(ByteBuf bytes) {
    burstMillis = nowMillis();
    guarded(() -> ahead.take(bytes, burstMillis));
  }

  @Override
  public void endBurst() {
    guarded(
        () -> {
          submitGathered();
          write();
          outflow.lookAtUnread();
        });
    loopContext.written();
  }

  /** Handles a socket that accepts output again. */
  void writable() {
    if (!outflow.isUnread()) {
      resume(ReadPauses.UNREAD);
    }
    endBurst();
  }

  @Override
  public void onEffect(EventLoopContext.Target link, Effect effect, @Nullable Bodies bodies) {
    try {
      link.onEffect(effect, bodies);
    } catch (RuntimeException | Error fault) {
      if (bodies != null) {
        attempt(bodies::drop);
      }
      fail(fault);
    }
  }

  @Override
  public void perform(Runnable task) {
    guarded(task);
  }

  @Override
  public void submitGathered() {
    for (var i = 0; i < gathered.size(); i++) {
      gathered.get(i).submitIfGathering();
    }
    gathered.clear();
  }

  @Override
  public void submit(Submission submission) {
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

  @Override
  public boolean hasOutputRoom() {
    return outflow.hasRoom(engine.outputBytes());
  }

  @Override
  public void pumpLater(NodeLink link) {
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
    var taken = outflow.whenTaken(); // first: after the next line the bytes are ours to release
    var out = engine.takeOutput();
    if (out != null) {
      var bytes = out.readableBytes();
      var unused = channel.writeAndFlush(out, taken);
      outflow.wrote(bytes);
    }
    outflow.handedOver();
  }

  @Override
  public boolean pumpAll() {
    if (unpumped.isEmpty()) {
      return false;
    }
    var waiting = List.copyOf(unpumped);
    unpumped.clear();
    waiting.forEach(NodeLink::pump);
    return engine.outputBytes() > 0;
  }

  // --- pausing ---

  @Override
  public void pause(int reason) {
    pauses.add(reason);
  }

  @Override
  public void resume(int reason) {
    pauses.remove(reason);
    if (reason == ReadPauses.MAILBOX && !over) {
      ahead.resume(nowMillis());
    }
  }

  @Override
  public void pauseWhileArenaIsFull() {
    if (!loopContext.arena.hasRoom()) {
      pauses.whileFull(loopContext.arena, ReadPauses.ARENA);
    }
  }

  @Override
  public boolean holdPartial(int bytes) {
    return holdings.partial(bytes);
  }

  @Override
  public boolean holdsTransfers() {
    return heldTransfers > 0;
  }

  // --- links ---

  @Override
  public void joined(NodeLink link) {
    links.add(link);
    index.add(link);
    tracker.linkMade();
    link.joined();
  }

  @Override
  public void over(NodeLink link) {
    if (links.remove(link)) {
      index.remove(link);
      link.parted();
      try {
        link.submitNow(); // it may stay in the list of gathering links, without effect
      } finally {
        unpumped.remove(link);
        outflow.forget(link);
        throttled.remove(link);
        lateDetaches.ended(link);
        tracker.linkGone();
        link.ended();
      }
    }
  }

  @Override
  public void bodyFailed(NodeLink link, String reason, String condition, String sentence) {
    UNREADABLE.error("A stored message of {} cannot be read: {}", link.address.shown(), reason);
    link.detach(condition, sentence);
  }

  @Override
  public void entitiesChanged(EventLoopContext told) {
    if (lookAgain.compareAndSet(false, true)) {
      told.later(this, this::lookAgain);
    }
  }

  private void lookAgain() {
    lookAgain.set(false); // before the look, so that a later change asks for another
    var catalogue = edge.broker().catalogue();
    for (var link : List.copyOf(links)) {
      link.entitiesChanged(catalogue);
    }
  }

  // --- time ---

  /** Does what is due, and sets the timer for what is next. */
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
          // The engine comes last, as links that the others close have a deadline there.
          var next = Math.min(tracker.check(now), now + expireRights());
          next = Math.min(Math.min(next, look), transactions.check(now));
          next = Math.min(next, now + goOnThrottled());
          next = Math.min(next, lateDetaches.check(now));
          timer.set(Math.min(engine.tick(now), next));
          write();
        });
  }

  @Override
  public void detachIn(long millis, NodeLink link, String condition, String sentence) {
    lateDetaches.add(link, nowMillis() + millis, condition, sentence);
    dueIn(millis);
  }

  @Override
  public void throttled(NodeLink link) {
    if (throttled.add(link)) {
      dueIn(edge.throttle().millisToNext());
    }
  }

  /** Milliseconds until throttled links get credits. */
  private long goOnThrottled() {
    if (!throttled.isEmpty() && edge.throttle().left() > 0) {
      var links = List.copyOf(throttled);
      throttled.clear();
      links.forEach(NodeLink::mayDeliverMore);
      submitGathered();
    }
    return throttled.isEmpty() ? Integer.MAX_VALUE : edge.throttle().millisToNext();
  }

  /** Milliseconds until the next token expires. */
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

  @Override
  public void dueIn(long millis) {
    timer.dueIn(millis);
  }

  /** Notes who its client says that it is. */
  void openedBy(PeerOpen open) {
    describer.opened(open);
  }

  @Override
  @AnyThread
  public CompletableFuture<ConnectionDescription> describe(long order) {
    try {
      return CompletableFuture.supplyAsync(
          () -> describer.of(order, this, links), channel.eventLoop());
    } catch (RejectedExecutionException ended) {
      return CompletableFuture.failedFuture(ended);
    }
  }

  // --- the end ---

  @Override
  @AnyThread
  public void closeSoon(AmqpError error) {
    channel
        .eventLoop()
        .execute(
            () -> {
              guarded(() -> close(error));
              endBurst();
            });
  }

  /** Counts the connection after the client opened it, or closes it as one too many (S-438). */
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

  @Override
  public void close(AmqpError error) {
    engine.close(error);
    dueIn(0); // then the client's answer is awaited
  }

  /** Ends the connection after its socket closed; frames read before are handled first. */
  void gone() {
    ahead.atEnd(this::lost);
  }

  @Override
  public void lost() {
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
      attempt(() -> over(link)); // each link has resources to release
    }
    attempt(engine::connectionLost);
    attempt(halfFrame::close);
    attempt(holdings::giveBack);
    attempt(() -> transactions.budget().giveBackAll());
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

  /**
   * Runs work so that a fault, even an error such as no direct memory, ends only this connection.
   */
  private void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error fault) {
      fail(fault);
    }
  }

  /** Ends the connection because of a fault, which is logged. */
  @Override
  @EventLoopThread
  public void fail(Throwable fault) {
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
