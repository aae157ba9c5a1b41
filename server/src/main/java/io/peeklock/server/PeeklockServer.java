package io.peeklock.server;

import io.peeklock.amqp.AmqpEdge;
import io.peeklock.amqp.AmqpSettings;
import io.peeklock.amqp.MessageDoor;
import io.peeklock.amqp.StoredMessages;
import io.peeklock.http.Authorisation;
import io.peeklock.http.HostNames;
import io.peeklock.http.Probes;
import io.peeklock.http.admin.AdminApi;
import io.peeklock.http.messages.MessageRoutes;
import io.peeklock.journal.FileJournal;
import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.MemoryJournal;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardListener;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.CataloguePolicies;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.access.Secret;
import io.peeklock.runtime.meter.LogMeter;
import io.peeklock.runtime.meter.ShardMeters;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServerSettings;
import io.peeklock.server.metrics.LazyMetrics;
import io.peeklock.server.metrics.MetricsPage;
import io.peeklock.server.metrics.Sources;
import io.peeklock.transport.ConnectionCounts;
import io.peeklock.transport.EventLoops;
import io.peeklock.transport.ExecutorHome;
import io.peeklock.transport.Listener;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running broker: log, shard, edge and listener, put together. {@link #start} returns when it is
 * ready for clients; {@link #close} ends it in order. Safe for any thread but its own loops.
 */
public final class PeeklockServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeeklockServer.class);
  private static final long MAILBOX_BYTES = 32L << 20;
  private static final long MEMORY_BYTES = 512L << 20;
  private static final long FLIGHT_SECONDS = 5;
  private static final long GOODBYE_SECONDS = 2;
  private static final long SYNC_SECONDS = 30;
  private static final String FORCED = "amqp:connection:forced";

  private final ServerSettings settings;
  private final EventLoops loops;
  private final ExecutorHome home;
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();
  private @Nullable Journal journal;
  private @Nullable Shard shard;
  private volatile @Nullable AmqpEdge edge;
  private volatile @Nullable MessageDoor door;
  private @Nullable FrontDoor front;
  private @Nullable LazyMetrics metrics;
  private @Nullable Tls secrets;
  private @Nullable NamespaceKey key;
  private volatile boolean closed;

  private PeeklockServer(ServerSettings settings, int cores) {
    this.settings = settings;
    this.loops = EventLoops.start(EventLoops.countFor(cores));
    this.home = cores <= 2 ? ExecutorHome.on(loops.next()) : ExecutorHome.ownThread("shard");
  }

  /**
   * Starts a broker. Blocks until clients can connect and all its queues are durable.
   *
   * @throws IOException when files or the port cannot be had; the text says which and why
   * @throws ConfigurationException when a queue or a key is not what the settings ask for
   */
  public static PeeklockServer start(ServerSettings settings) throws IOException {
    var server = new PeeklockServer(settings, Runtime.getRuntime().availableProcessors());
    var ready = false;
    try {
      server.open();
      ready = true;
      return server;
    } finally {
      if (!ready) {
        server.close();
      }
    }
  }

  private void open() throws IOException {
    checkPlaintext();
    var tls = Tls.of(settings);
    secrets = tls;
    var clock = new SystemClock();
    journal = openJournal();
    var opened = new Shard(journal, home, clock, new StoredMessages(), new Word(), MAILBOX_BYTES);
    shard = opened;
    opened.limit(settings.limits().namespace());
    onHome(
        () -> {
          opened.start();
          return "started";
        });
    awaitEntities(opened);
    var rootKey = NamespaceKey.of(settings);
    key = rootKey;
    var access =
        new AccessControl(
            List.of(Policy.root(Secret.of(rootKey.text()))),
            new CataloguePolicies(opened::catalogue));
    var newEdge = new AmqpEdge(opened, access, edgeSettings(clock));
    edge = newEdge;
    var figures = new LazyMetrics(new Figures(opened));
    metrics = figures;
    var routes = new ArrayList<>(Probes.routes(new SelfKnowledge()));
    routes.add(MetricsPage.route(figures, access));
    var messages = new MessageDoor(newEdge, loops.group());
    door = messages;
    var authorisation = new Authorisation(access, new HostNames(Tls.names(settings)), clock);
    routes.addAll(MessageRoutes.routes(messages, authorisation));
    routes.addAll(
        AdminApi.routes(
            opened,
            home::execute,
            access,
            Administration.terms(settings.profile(), clock.wallMillis()),
            clock::wallMillis));
    front = FrontDoor.open(loops, settings, tls.source(), newEdge, routes);
  }

  private AmqpSettings edgeSettings(SystemClock clock) {
    var limits = settings.limits();
    var plain = AmqpSettings.defaults("localhost", "peeklock", clock);
    return plain
        .withLimits(plain.limits().withBatchBytes(limits.sizes().batch()))
        .withQuotas(
            new AmqpSettings.Quotas(
                limits.connections(),
                limits.receiversPerEntity(),
                limits.creditsPerSecond(),
                !limits.namespace().queuesOnly()))
        .withOneEntityPerTransaction(limits.oneEntityPerTransaction())
        .withMostDeleted(settings.profile().mostDeleted());
  }

  private Journal openJournal() throws IOException {
    var folder = settings.data();
    if (folder == null) {
      return MemoryJournal.create(MEMORY_BYTES, home::execute);
    }
    try {
      var journal =
          JournalSettings.in(folder)
              .withReserveBytes(settings.diskReserveBytes())
              .withCheckpointBytes(settings.checkpointBytes())
              .withSegmentBytes(settings.segmentBytes());
      return FileJournal.open(journal, home::execute);
    } catch (FileSystemException unusable) {
      // Its own message is a bare path.
      var kind = unusable instanceof AccessDeniedException ? "permission denied" : "no such folder";
      var reason = unusable.getReason() == null ? kind : unusable.getReason();
      throw new IOException(
          "the data folder " + folder + " cannot be used: " + unusable.getFile() + ": " + reason,
          unusable);
    }
  }

  private void checkPlaintext() {
    if (settings.tls() == null && !settings.takesPlaintext() && !settings.generateCertificate()) {
      throw new ConfigurationException(
          "bound to "
              + settings.address().getHostString()
              + ", other machines could connect without encryption: give --tls-certificate and"
              + " --tls-key, --generate-certificate to have them made, or --allow-plaintext to"
              + " allow it");
    }
  }

  private void awaitEntities(Shard opened) throws IOException {
    var done = EntitySetup.ensure(opened, home, settings.entities());
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

  private <T> void onHome(Callable<T> task) throws IOException {
    var result = new CompletableFuture<T>();
    home.execute(
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

  /** The port that clients are told; it listens on it, and on all of {@link #ports}. */
  public int port() {
    return ports().getFirst();
  }

  /** All ports that it listens on, each for every protocol. */
  public List<Integer> ports() {
    return opened(front).listener().ports();
  }

  /** The queues that are there. */
  public Catalogue catalogue() {
    return opened(shard).catalogue();
  }

  /** What a client needs to connect; holds the key. */
  public String connectionString() {
    return ConnectionString.of(settings, settings.address().getAddress(), port(), opened(key));
  }

  ServerSettings settings() {
    return settings;
  }

  NamespaceKey key() {
    return opened(key);
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the broker is not open");
    }
    return part;
  }

  /**
   * Completes when this broker can go on no more, with the reason; nothing was answered from then
   * on. It must be closed all the same.
   */
  public CompletableFuture<Throwable> broken() {
    return broken;
  }

  /**
   * Takes no more connections and bytes, finishes what is in flight, says goodbye to all clients,
   * syncs, and ends the threads. Blocks for seconds at most.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (front != null) {
      front.listener().stopAccepting();
      finishFlight(front.listener());
      sayGoodbye(front);
    }
    closeJournal();
    if (metrics != null) {
      metrics.close();
    }
    if (secrets != null) {
      secrets.close();
    }
    loops.close();
    home.close();
  }

  private void finishFlight(Listener open) {
    if (shard != null && !broken.isDone()) {
      open.pauseReading();
      await(shard.quiesce(), FLIGHT_SECONDS, "what was in flight");
    }
  }

  private void sayGoodbye(FrontDoor frontDoor) {
    var open = frontDoor.listener();
    var talking = edge;
    if (talking != null) {
      var gone = open.allGone();
      open.resumeReading();
      talking.closeAll(FORCED, "The broker is shutting down");
      opened(door).dropAll("The broker is shutting down");
      frontDoor.http().closeAll();
      await(gone, GOODBYE_SECONDS, "clients");
    }
    open.dropAll();
  }

  private void closeJournal() {
    var open = journal;
    if (open == null) {
      return;
    }
    var done = new CompletableFuture<@Nullable Void>();
    home.execute(
        () -> {
          open.close();
          done.complete(null);
        });
    await(done, SYNC_SECONDS, "the log");
  }

  private static void await(CompletableFuture<?> what, long seconds, String name) {
    try {
      what.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException late) {
      LOG.warn("Stopping without waiting longer for {}", name);
    } catch (ExecutionException failed) {
      LOG.warn("Stopping: {} ended with {}", name, String.valueOf(failed.getCause()));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What probes are told. */
  private final class SelfKnowledge implements Probes.Condition {
    @Override
    public CompletableFuture<Optional<String>> unready() {
      return closed
          ? CompletableFuture.completedFuture(Optional.of("the broker is stopping"))
          : asked(
              () ->
                  opened(journal).takesSends()
                      ? Optional.empty()
                      : Optional.of("sends are refused for want of space"));
    }

    @Override
    public CompletableFuture<Optional<String>> dead() {
      return asked(Optional::empty);
    }

    /** On the shard's thread, so that one who is stuck does not answer. */
    private CompletableFuture<Optional<String>> asked(Supplier<Optional<String>> question) {
      if (broken.isDone()) {
        return CompletableFuture.completedFuture(Optional.of("the log cannot be written"));
      }
      return CompletableFuture.supplyAsync(question, home::execute);
    }
  }

  /** Where metrics come from. */
  private final class Figures implements Sources {
    private final Shard measured;

    Figures(Shard measured) {
      this.measured = measured;
    }

    @Override
    public String version() {
      return Version.current();
    }

    @Override
    public Broker broker() {
      return measured;
    }

    @Override
    public ShardMeters meters() {
      return measured.meters();
    }

    @Override
    public LogMeter log() {
      return opened(journal).meter();
    }

    @Override
    public CompletableFuture<Journal.Use> use() {
      return CompletableFuture.supplyAsync(() -> opened(journal).use(), home::execute);
    }

    @Override
    public ConnectionCounts connections() {
      var door = front;
      return door == null ? new ConnectionCounts(0, 0, 0) : door.listener().connections();
    }
  }

  /** The shard's word about itself. */
  private final class Word implements ShardListener {
    @Override
    public void leadershipLost() {
      var talking = edge;
      if (talking != null) {
        talking.closeAll(FORCED, "The broker lost its leadership");
      }
      var asked = door;
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
