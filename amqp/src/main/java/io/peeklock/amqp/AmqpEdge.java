package io.peeklock.amqp;

import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.EventExecutor;
import io.peeklock.amqp.connection.AmqpConnectionHandler;
import io.peeklock.amqp.connection.ConnectionDescription;
import io.peeklock.amqp.connection.ConnectionEdge;
import io.peeklock.amqp.connection.EdgeNamespaceRouter;
import io.peeklock.amqp.connection.LiveConnection;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.FrameTrace;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.error.Errors;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.limit.AmqpBudgets;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.limit.ReceiverCounts;
import io.peeklock.amqp.limit.Throttle;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.amqp.message.LockTokens;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import io.peeklock.runtime.thread.ShardThread;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entry of this module: makes the handler of each AMQP connection and knows those that are
 * alive.
 */
@AnyThread
public final class AmqpEdge implements ConnectionEdge {
  private final Broker broker;
  private final AccessControl access;
  private final AmqpSettings settings;
  private final Errors errors;
  private final EngineConfig withPlain;
  private final EngineConfig withoutPlain;
  private final AmqpBudgets budgets;
  private final Throttle throttle;
  private final ReceiverCounts receivers;
  private final LockTokens.Key tokenKey = LockTokens.Key.random();
  private final Map<EventExecutor, EventLoopContext> loopContexts = new ConcurrentHashMap<>();
  private final Map<LiveConnection, Joined> connections = new ConcurrentHashMap<>();
  private final ConcurrentSkipListMap<Long, Joined> inOrder = new ConcurrentSkipListMap<>();
  private final AtomicLong joined = new AtomicLong();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile @Nullable Predicate<InetSocketAddress> traced;

  /** A connection as it joined: the how manyth, and on which loop. */
  private record Joined(long order, LiveConnection connection, EventLoopContext on) {}

  /** An edge in front of one namespace. */
  public AmqpEdge(Broker broker, AccessControl access, AmqpSettings settings) {
    this(broker, access, settings, AmqpBudgets.ofProcess());
  }

  /**
   * The same with other budgets than those that the memory of the process comes to.
   *
   * @param budgets shared by all edges that have the same memory
   */
  public AmqpEdge(Broker broker, AccessControl access, AmqpSettings settings, AmqpBudgets budgets) {
    this.budgets = budgets;
    this.broker = broker;
    this.access = access;
    this.settings = settings;
    this.throttle = new Throttle(settings.clock(), settings.quotas().creditsPerSecond());
    this.receivers = new ReceiverCounts(settings.quotas().receiversPerEntity());
    this.errors =
        new Errors(
            settings.namespace(),
            settings.engine().containerId(),
            () -> settings.clock().wallMillis());
    broker.watch(this::entitiesChanged);
    // JavaScript with a SharedAccessSignature for its credentials leaves the SASL layer out. That
    // gives nothing away: without a password it may do what ANONYMOUS may, put a token (S-465).
    this.withPlain = settings.engine().withSaslRequired(false);
    this.withoutPlain =
        withPlain.withSaslMechanisms(
            withPlain.saslMechanisms().stream().filter(name -> !name.equals("PLAIN")).toList());
  }

  /**
   * A handler for a new connection, to be the last in its channel's pipeline. The channel's bytes
   * are plain AMQP: TLS and WebSocket framing are taken off before.
   *
   * @param mayUsePlain whether a password may be sent on this connection: it is encrypted, or the
   *     peer is on this machine (design.md 6)
   */
  public ChannelHandler newConnectionHandler(boolean mayUsePlain) {
    return newConnectionHandler(mayUsePlain, () -> {});
  }

  /**
   * The same, for a listener that counts unauthenticated connections.
   *
   * @param whenAuthorised run once, on the channel's event loop, when the peer has logged in with a
   *     password or put its first good token
   */
  public ChannelHandler newConnectionHandler(boolean mayUsePlain, Runnable whenAuthorised) {
    return newConnectionHandler(mayUsePlain, whenAuthorised, EdgeNamespaceRouter.NONE);
  }

  /**
   * The same, where there are several namespaces: the connection begins here, and goes where it
   * belongs when it names a host, before it has links.
   */
  public ChannelHandler newConnectionHandler(
      boolean mayUsePlain, Runnable whenAuthorised, EdgeNamespaceRouter choice) {
    return new AmqpConnectionHandler(
        this, mayUsePlain ? withPlain : withoutPlain, whenAuthorised, choice);
  }

  /**
   * From now on writes the frames of new connections to the log, without bodies and secrets.
   *
   * @param peers of whom
   */
  public void trace(Predicate<InetSocketAddress> peers) {
    traced = peers;
  }

  @Override
  public @Nullable FrameTrace traceOf(SocketAddress peer) {
    var peers = traced;
    return peers != null && peer instanceof InetSocketAddress address && peers.test(address)
        ? new WireLog(address)
        : null;
  }

  /**
   * Closes every connection with an error, for a shutdown or lost leadership. Returns at once.
   *
   * @param condition {@code amqp:connection:forced}, as a rule
   * @param text the sentence for people
   */
  public void closeAll(String condition, @Nullable String text) {
    for (var each : inOrder.values()) {
      each.connection().closeSoon(AmqpError.of(condition, text));
    }
  }

  /**
   * What connections are at the moment, in the order in which they came; those that end meanwhile
   * are left out.
   *
   * @param after only those that came after this one; 0 for all
   * @param most how many at most
   */
  public CompletableFuture<ConnectionDescription.Page> describe(long after, int most) {
    var looked = inOrder.tailMap(after, false).values().stream().limit(most).toList();
    var next = looked.size() == most ? looked.getLast().order() : 0;
    var all =
        looked.stream()
            .map(each -> each.connection().describe(each.order()))
            .map(asked -> asked.handle((description, gone) -> Optional.ofNullable(description)))
            .toList();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(CompletableFuture::join).flatMap(Optional::stream))
        .thenApply(left -> new ConnectionDescription.Page(left.toList(), next));
  }

  /** How many connections are alive. */
  public int liveConnections() {
    return connections.size();
  }

  @Override
  public Broker broker() {
    return broker;
  }

  @Override
  public AccessControl access() {
    return access;
  }

  @Override
  public AmqpSettings settings() {
    return settings;
  }

  /** How many requests were refused because the namespace is throttled. */
  @AnyThread
  public long throttled() {
    return throttle.refused();
  }

  @Override
  public AmqpBudgets budgets() {
    return budgets;
  }

  @Override
  public Throttle throttle() {
    return throttle;
  }

  @Override
  public @Nullable MessageProblem charge(int messages, String path) {
    if (!throttle.isOn()) {
      return null;
    }
    var entry = broker.catalogue().queue(path);
    var each = 1L + (entry == null ? 0 : entry.rules());
    return throttle.pay(messages * each) ? null : Throttle.BUSY;
  }

  @Override
  public ReceiverCounts receivers() {
    return receivers;
  }

  @Override
  public Errors errors() {
    return errors;
  }

  public EventLoopContext contextOf(EventExecutor loop) {
    return loopContexts.computeIfAbsent(
        loop, key -> new EventLoopContext(key, broker.newArena(), new LockTokens(tokenKey)));
  }

  /**
   * Whether bodies of sends can be laid down on every event loop that has connections: one is, and
   * is taken back.
   *
   * @return completes when it can; exceptionally, with the fault, when it cannot
   */
  @AnyThread
  public CompletableFuture<Void> prove() {
    return CompletableFuture.allOf(
        loopContexts.entrySet().stream()
            .map(it -> CompletableFuture.runAsync(it.getValue()::prove, it.getKey()))
            .toArray(CompletableFuture[]::new));
  }

  /**
   * Those who were told of it know before; they are told in the order in which they joined. With
   * the context of this edge, as a connection may be on its way to that of another.
   */
  @ShardThread
  private void entitiesChanged() {
    for (var each : inOrder.values()) {
      each.connection().entitiesChanged(each.on());
    }
  }

  @Override
  @EventLoopThread
  public EventLoopContext joined(LiveConnection connection, EventExecutor loop) {
    var loopContext = contextOf(loop);
    var as = new Joined(joined.incrementAndGet(), connection, loopContext);
    connections.put(connection, as);
    inOrder.put(as.order(), as);
    return loopContext;
  }

  @Override
  public void left(LiveConnection connection) {
    var was = connections.remove(connection);
    if (was != null) {
      inOrder.remove(was.order());
    }
  }

  @Override
  public boolean enter() {
    var most = settings.quotas().connections();
    return opened.getAndUpdate(count -> count < most ? count + 1 : count) < most;
  }

  @Override
  public void leave() {
    opened.decrementAndGet();
  }
}
