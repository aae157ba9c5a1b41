package io.peeklock.server;

import io.netty.channel.EventLoopGroup;
import io.peeklock.amqp.AmqpEdge;
import io.peeklock.amqp.direct.DirectMessaging;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.message.StoredMessages;
import io.peeklock.http.Authorisation;
import io.peeklock.http.HostNames;
import io.peeklock.http.Route;
import io.peeklock.http.admin.AdminApi;
import io.peeklock.http.messages.MessageRoutes;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.memory.MemoryJournal;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardListener;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.CataloguePolicies;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Secret;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.meter.LogMeter;
import io.peeklock.runtime.meter.ShardMeters;
import io.peeklock.runtime.meter.WaitMeter;
import io.peeklock.runtime.thread.ShardThread;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.Entity;
import io.peeklock.server.config.ServerSettings;
import io.peeklock.server.metrics.MeterRoom;
import io.peeklock.server.metrics.NamespaceSource;
import io.peeklock.transport.EventLoopShardExecutor;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One namespace: its log and its shard, its key, and the edges in front of it. Nothing of it is
 * another's but the event loops. {@link #open} and {@link #closeLog} belong to whoever runs the
 * broker; all else may be called from any thread once it is open.
 */
final class Namespace implements NamespaceSource {
  /** What the one is called that clients get who name no other. */
  static final String DEFAULT = "default";

  private static final Logger LOG = LoggerFactory.getLogger(Namespace.class);
  private static final long CLOCK_PACE_MILLIS = 1_000;
  private static final String FORCED = "amqp:connection:forced";

  private final String name;
  private final @Nullable Path folder;
  private final ServerSettings settings;
  private final Budgets budgets;
  private final EventLoopShardExecutor shardExecutor;
  private final MeterRoom meterRoom;
  private final SystemClock clock = new SystemClock();
  private final ShiftedClock shardClock = new ShiftedClock(clock);
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();
  private @Nullable Journal journal;
  private @Nullable Shard shard;
  private @Nullable NamespaceKey key;
  private @Nullable AccessControl access;
  private volatile @Nullable AmqpEdge edge;
  private volatile @Nullable DirectMessaging messaging;
  private volatile boolean closing;

  /**
   * One that {@link #open} brings to life.
   *
   * @param name what clients and operators call it
   * @param folder of its log and its key; null to keep everything in memory
   * @param settings of the whole broker
   * @param budgets of the whole broker
   * @param shardExecutor the thread of its shard; closed with it
   */
  Namespace(
      String name,
      @Nullable Path folder,
      ServerSettings settings,
      Budgets budgets,
      EventLoopShardExecutor shardExecutor) {
    this.name = name;
    this.folder = folder;
    this.settings = settings;
    this.budgets = budgets;
    this.shardExecutor = shardExecutor;
    this.meterRoom = new MeterRoom(budgets.share().metrics());
  }

  /**
   * Recovers the log, makes the entities that are missing and is ready for clients. Blocks.
   *
   * @param loops that connections live on
   * @throws IOException when files cannot be had; the text says which and why
   * @throws ConfigurationException when an entity or the key is not what the settings ask for
   */
  void open(EventLoopGroup loops, List<Entity> entities) throws IOException {
    var marked = name.equals(DEFAULT) ? null : folder;
    if (marked != null) {
      ServedMark.check(name, marked);
    }
    var share = budgets.share();
    journal = openJournal(share);
    var opened =
        new Shard(
            journal,
            shardExecutor,
            shardClock,
            new StoredMessages(),
            new ShardEvents(),
            share.mailbox());
    shard = opened;
    if (!name.equals(DEFAULT)) {
      opened.nameInLog(name);
    }
    opened.placeIdsBy(new SecureRandom().nextLong());
    opened.limit(settings.limits().namespace(), share.deliveries(), share.messages());
    onShardThread(
        () -> {
          opened.start();
          watchClock(opened);
          return "started";
        });
    awaitEntities(opened, entities);
    if (marked != null) {
      ServedMark.note(marked);
    }
    var rootKey = NamespaceKey.of(settings, folder);
    key = rootKey;
    var rights =
        new AccessControl(
            withFirst(rootKey, configured()),
            new CataloguePolicies(opened::catalogue),
            new HostNames(Tls.names(settings))::own);
    access = rights;
    var newEdge = new AmqpEdge(opened, rights, edgeSettings(), budgets.amqp());
    edge = newEdge;
    if (settings.wireTrace() != null) {
      newEdge.trace(settings.wireTrace());
    }
    messaging = new DirectMessaging(newEdge, loops, settings.limits().sizes().http());
  }

  private static List<Policy> withFirst(NamespaceKey rootKey, List<Policy> others) {
    var all = new ArrayList<Policy>(others.size() + 1);
    all.add(Policy.root(Secret.of(rootKey.text())));
    all.addAll(others);
    return all;
  }

  /** The policies that the settings give it at the start. */
  private List<Policy> configured() {
    return name.equals(DEFAULT)
        ? settings.policies()
        : settings.namespaces().stream()
            .filter(each -> each.name().equalsIgnoreCase(name))
            .flatMap(each -> each.policies().stream())
            .toList();
  }

  /**
   * Puts others in the place of its policies, but the one that it began with: tokens that a key
   * signed which is no longer there open nothing new from now on (S-473).
   */
  void replacePolicies(List<Policy> others) {
    access().replace(withFirst(opened(key), others));
  }

  private void watchClock(Shard opened) {
    if (!closing && !broken.isDone()) {
      opened.lookAtClock();
      shardExecutor.executeLater(CLOCK_PACE_MILLIS, () -> watchClock(opened));
    }
  }

  /** Makes and changes entities while it is open; completes when they are durable. */
  CompletableFuture<EntitySetup.Outcome> ensure(List<Entity> entities) {
    return EntitySetup.ensure(shard(), shardExecutor, entities);
  }

  /** Deletes all entities, then makes others; completes when they are durable. */
  CompletableFuture<EntitySetup.Outcome> replaceAll(List<Entity> entities) {
    return NamespaceEmptying.of(shard()).thenCompose(gone -> ensure(entities));
  }

  /**
   * Moves the clock of its shard forward, and completes when all is done that is due then. Tokens
   * and connections keep to the machine's clock: clients do not move with it.
   */
  CompletableFuture<Void> advance(long millis) {
    return CompletableFuture.runAsync(() -> shardClock.advance(millis), shardExecutor::execute)
        .thenCompose(moved -> shard().catchUp());
  }

  /** What the clock of its shard says, UTC milliseconds since 1970. */
  long nowMillis() {
    return shardClock.wallMillis();
  }

  private AmqpSettings edgeSettings() {
    var limits = settings.limits();
    var shown = name.equals(DEFAULT) ? "localhost" : name;
    var plain = AmqpSettings.defaults(shown, "peeklock", clock);
    return plain
        .withLimits(plain.limits().withBatchBytes(limits.sizes().batch()))
        .withQuotas(
            new AmqpSettings.Quotas(
                limits.connections(),
                limits.receiversPerEntity(),
                limits.creditsPerSecond(),
                !limits.namespace().queuesOnly(),
                limits.filters(),
                limits.sharedSessions()))
        .withOneEntityPerTransaction(limits.oneEntityPerTransaction())
        .withMostDeleted(settings.profile().mostDeleted());
  }

  private Journal openJournal(MemoryShare share) throws IOException {
    if (folder == null) {
      var wanted = settings.memoryBytes();
      var bound = wanted == null ? share.inMemory() : share.inMemory(wanted);
      return MemoryJournal.create(bound, shardExecutor::execute);
    }
    try {
      var ofFiles =
          JournalSettings.in(folder)
              .withResidentBytes(share.resident())
              .withStagedBytes(share.staged())
              .withLargeStagedBytes(share.stagedLarge())
              .withLargePieceBytes(share.largePieces())
              .withReserveBytes(settings.diskReserveBytes())
              .withCheckpointBytes(settings.checkpointBytes())
              .withSegmentBytes(settings.segmentBytes());
      return FileJournal.open(ofFiles, shardExecutor::execute);
    } catch (FileSystemException unusable) {
      // Its own message is a bare path.
      var kind = unusable instanceof AccessDeniedException ? "permission denied" : "no such folder";
      var reason = unusable.getReason() == null ? kind : unusable.getReason();
      throw new IOException(
          "the data folder " + folder + " cannot be used: " + unusable.getFile() + ": " + reason,
          unusable);
    }
  }

  private void awaitEntities(Shard opened, List<Entity> entities) throws IOException {
    var done = EntitySetup.ensure(opened, shardExecutor, entities);
    var first = CompletableFuture.anyOf(done, broken);
    try {
      first.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting", interrupted);
    } catch (ExecutionException refused) {
      throw rethrown(refused);
    }
    if (!done.isDone()) {
      var cause = broken.join();
      throw new IOException("the log cannot be written: " + cause.getMessage(), cause);
    }
  }

  private <T> void onShardThread(Callable<T> task) throws IOException {
    var result = new CompletableFuture<T>();
    shardExecutor.execute(
        () -> {
          try {
            result.complete(task.call());
          } catch (Exception | Error failed) {
            result.completeExceptionally(failed);
          }
        });
    try {
      result.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting", interrupted);
    } catch (ExecutionException failed) {
      throw rethrown(failed);
    }
  }

  private static IOException rethrown(ExecutionException failed) {
    var cause = failed.getCause();
    if (cause instanceof RuntimeException wrong) {
      throw wrong;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException fault ? fault : new IOException(cause);
  }

  /** What it answers over HTTP: messages and administration. A new list at every call. */
  List<Route> routes() {
    var rights = access();
    var authorisation = new Authorisation(rights, clock);
    var routes = new ArrayList<Route>();
    routes.add(ConnectionsPage.route(edge()::describe, authorisation));
    routes.addAll(MessageRoutes.routes(opened(messaging), authorisation));
    routes.addAll(
        AdminApi.routes(
            shard(),
            shardExecutor::execute,
            rights,
            ProfileAdministration.terms(settings.profile(), clock.wallMillis()),
            clock::wallMillis));
    return routes;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Broker broker() {
    return shard();
  }

  @Override
  public ShardMeters meters() {
    return shard().meters();
  }

  @Override
  public boolean forwardedIsIncoming() {
    return settings.profile().forwardedIsIncoming();
  }

  @Override
  public long throttled() {
    return edge().throttled();
  }

  @Override
  public long clockAheadMillis() {
    return shard().clockAheadMillis();
  }

  @Override
  public long stoodMillis() {
    return shard().stoodMillis();
  }

  @Override
  public WaitMeter waits() {
    return shard().waits();
  }

  @Override
  public MeterRoom meterRoom() {
    return meterRoom;
  }

  @Override
  public List<BudgetUse> budgets() {
    var all = new ArrayList<BudgetUse>();
    all.addAll(shard().budgets());
    all.addAll(journal().budgets());
    all.add(meterRoom.use());
    return all;
  }

  @Override
  public LogMeter log() {
    return journal().meter();
  }

  @Override
  public CompletableFuture<Log.Use> use() {
    return CompletableFuture.supplyAsync(() -> journal().use(), shardExecutor::execute);
  }

  NamespaceKey key() {
    return opened(key);
  }

  DirectMessaging messaging() {
    return opened(messaging);
  }

  AccessControl access() {
    return opened(access);
  }

  AmqpEdge edge() {
    return opened(edge);
  }

  private Shard shard() {
    return opened(shard);
  }

  Catalogue catalogue() {
    return shard().catalogue();
  }

  Journal journal() {
    return opened(journal);
  }

  EventLoopShardExecutor shardExecutor() {
    return shardExecutor;
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the namespace is not open");
    }
    return part;
  }

  /** Completes when its log can be written no more, with the reason. */
  CompletableFuture<Throwable> broken() {
    return broken;
  }

  /** As {@link Shard#prove}. */
  CompletableFuture<Void> prove() {
    return shard().prove();
  }

  /** As {@link AmqpEdge#prove}. */
  CompletableFuture<Void> proveEdge() {
    return edge().prove();
  }

  /** Why messages cannot be taken or go on now; empty for nothing. On the thread of its shard. */
  Optional<String> standing() {
    var full = fullness();
    return full.isPresent() ? full : shard().standing();
  }

  /** Whether there is no room for messages, in words; empty when there is. */
  @ShardThread
  Optional<String> fullness() {
    if (!journal().takesSends()) {
      return Optional.of("sends are refused for want of space");
    }
    return shard().takesSends()
        ? Optional.empty()
        : Optional.of("sends are refused: stored messages take all of the budget 'messages'");
  }

  /** Completes once what is in flight is durable and told; at once where there is nothing. */
  CompletableFuture<Void> quiet() {
    var open = shard;
    return open == null || broken.isDone()
        ? CompletableFuture.completedFuture(null)
        : open.quiesce();
  }

  /** Says goodbye to its clients. Returns at once. */
  void dismiss(String sentence) {
    var talking = edge;
    if (talking != null) {
      talking.closeAll(FORCED, sentence);
    }
    var asked = messaging;
    if (asked != null) {
      asked.dropAll(sentence);
    }
  }

  /** Syncs and closes the log; completes when that is done. Its thread stays. */
  CompletableFuture<Void> closeLog() {
    closing = true;
    var open = journal;
    if (open == null) {
      return CompletableFuture.completedFuture(null);
    }
    return CompletableFuture.runAsync(open::close, shardExecutor::execute);
  }

  /** What the shard reports of itself. */
  private final class ShardEvents implements ShardListener {
    @Override
    public void leadershipLost() {
      var talking = edge;
      if (talking != null) {
        talking.closeAll(FORCED, "The broker lost its leadership");
      }
      var asked = messaging;
      if (asked != null) {
        asked.dropAll("The broker lost its leadership. A retry helps");
      }
    }

    @Override
    public void idleDeleted(String path) {
      LOG.info("'{}' is deleted: nobody used it for as long as its AutoDeleteOnIdle says", path);
    }

    @Override
    public void ended(Throwable cause) {
      broken.complete(cause);
    }
  }
}
