package io.peeklock.server;

import io.peeklock.http.Probes;
import io.peeklock.http.Router;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.access.AccessControl;
import io.peeklock.runtime.access.Policy;
import io.peeklock.runtime.message.Messages;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.meter.DurationMeter;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.Entity;
import io.peeklock.server.config.NamespaceSettings;
import io.peeklock.server.config.ServerSettings;
import io.peeklock.server.metrics.LazyMetrics;
import io.peeklock.server.metrics.MetricsPage;
import io.peeklock.server.metrics.Sources;
import io.peeklock.transport.ConnectionCounts;
import io.peeklock.transport.EventLoopShardExecutor;
import io.peeklock.transport.EventLoops;
import io.peeklock.transport.Listener;
import io.peeklock.transport.TlsSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running broker: namespaces, edges and listener, put together. {@link #start} returns when it is
 * ready for clients; {@link #close} ends it in order. Safe for any thread but its own loops.
 */
public final class PeeklockServer implements AutoCloseable {
  private static final Instant LATEST = Instant.parse("9000-01-01T00:00:00Z");
  private static final Logger LOG = LoggerFactory.getLogger(PeeklockServer.class);
  private static final long FLIGHT_SECONDS = 5;
  private static final long GOODBYE_SECONDS = 2;
  private static final long SYNC_SECONDS = 30;

  private final ServerSettings settings;
  private final Budgets budgets;
  private final int cores;
  private final EventLoops loops;
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();

  /** The default one first; those of them that were begun to open. */
  private final List<Namespace> namespaces = new ArrayList<>();

  private final Map<String, List<Integer>> boundPorts = new ConcurrentHashMap<>();
  private @Nullable PortBindings ports;
  private @Nullable LazyMetrics metrics;
  private @Nullable Tls secrets;
  private volatile boolean closed;

  private PeeklockServer(ServerSettings settings, int cores) {
    this.settings = settings;
    this.budgets = Budgets.of(settings);
    this.cores = cores;
    this.loops = EventLoops.start(EventLoops.countFor(cores));
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
    add(Namespace.DEFAULT, settings.data(), settings.entities());
    var folder = settings.namespacesFolder();
    for (var other : settings.namespaces()) {
      var data = folder == null ? null : folder.resolve(other.folder());
      add(other.name(), data, other.entities());
    }
    var figures = new LazyMetrics(new Figures());
    metrics = figures;
    openPorts(tls.source(), figures);
    figures.begin();
  }

  private void add(String name, @Nullable Path data, List<Entity> entities) throws IOException {
    var namespace = new Namespace(name, data, settings, budgets, shardExecutor(name));
    namespaces.add(namespace);
    var unused = namespace.broken().thenAccept(broken::complete);
    namespace.open(loops.group(), entities);
  }

  /** A thread for each of the first, as far as there are cores; the others live with sockets. */
  private EventLoopShardExecutor shardExecutor(String name) {
    var own = cores > 2 && namespaces.size() < cores / 2;
    return own
        ? EventLoopShardExecutor.ownThread("shard-" + name)
        : EventLoopShardExecutor.on(loops.next());
  }

  private void openPorts(TlsSource tls, LazyMetrics figures) throws IOException {
    var shared = new ArrayList<>(Probes.routes(vitals()));
    shared.add(MetricsPage.route(figures, standard().access()));
    if (settings.testClock()) {
      shared.add(ClockPage.route(this::now, this::advance));
    }
    var sites = new ArrayList<PortBindings.Site>();
    for (var namespace : namespaces) {
      var routes = new ArrayList<>(shared);
      routes.addAll(namespace.routes());
      sites.add(new PortBindings.Site(namespace.edge(), new Router(routes)));
    }
    var table = new HostTable<PortBindings.Site>();
    var others = settings.namespaces();
    for (var i = 0; i < others.size(); i++) {
      var site = sites.get(i + 1);
      table.label(others.get(i).name(), site);
      others.get(i).hosts().forEach(host -> table.host(host, site));
    }
    var opened = new PortBindings(loops, settings, budgets, tls, sites.getFirst(), table);
    ports = opened;
    for (var i = 0; i < others.size(); i++) {
      var bound = new ArrayList<Integer>();
      for (var port : others.get(i).ports()) {
        bound.add(opened.bind(port, sites.get(i + 1)));
      }
      boundPorts.put(others.get(i).name(), List.copyOf(bound));
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

  /** The port that clients are told; it listens on it, and on all of {@link #ports}. */
  public int port() {
    return ports().getFirst();
  }

  /** All ports that lead to every namespace, each for every protocol. */
  public List<Integer> ports() {
    return opened(ports).ports();
  }

  /** The queues that are there, in the namespace that clients get who name no other. */
  public Catalogue catalogue() {
    return standard().catalogue();
  }

  /** What a client needs to connect; holds the key. */
  public String connectionString() {
    return ConnectionStringWriter.write(settings, port(), standard().key());
  }

  /**
   * What a client of a namespace needs to connect; holds its key.
   *
   * @param name of a namespace beside the default one, with the case that it was given
   * @throws IllegalArgumentException when there is none of this name
   */
  public String connectionString(String name) {
    var other = other(name);
    var bound = boundPorts(name);
    var key = namespace(name).key();
    if (!bound.isEmpty()) {
      return ConnectionStringWriter.write(settings, bound.getFirst(), key);
    }
    var host = other.hosts().isEmpty() ? other.localHost() : other.hosts().getFirst();
    return ConnectionStringWriter.write(settings, host, port(), key);
  }

  private NamespaceSettings other(String name) {
    return settings.namespaces().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no namespace " + name));
  }

  /**
   * A namespace that is open.
   *
   * @throws IllegalArgumentException when there is none of this name
   */
  Namespace namespace(String name) {
    return namespaces.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no namespace " + name));
  }

  /** The ports that lead to one namespace only, in the order in which they were asked for. */
  public List<Integer> boundPorts(String name) {
    return boundPorts.getOrDefault(name, List.of());
  }

  /** Folders of namespaces that the configuration does not name; nothing was done to them. */
  List<String> leftAlone() throws IOException {
    var folder = settings.namespacesFolder();
    if (folder == null || !Files.isDirectory(folder)) {
      return List.of();
    }
    var known = settings.namespaces().stream().map(NamespaceSettings::folder).toList();
    try (var entries = Files.list(folder)) {
      return entries
          .filter(Files::isDirectory)
          .map(entry -> String.valueOf(entry.getFileName()))
          .filter(name -> !known.contains(name))
          .sorted()
          .toList();
    }
  }

  /** What can be asked of the default namespace without a connection. */
  public Broker broker() {
    return standard().broker();
  }

  /** Sends, receives and peeks in the default namespace without a connection. */
  public Messages messages() {
    return standard().messaging();
  }

  /**
   * Deletes all entities of the default namespace, with their messages, and makes those of the
   * settings anew. Connections stay, and links to entities end.
   *
   * @return completes when that is durable
   */
  public CompletableFuture<Void> reset() {
    return standard().replaceAll(settings.entities()).thenApply(made -> null);
  }

  /**
   * Moves the broker's time forward: locks, schedules, times to live, sessions, duplicate windows
   * and idle entities follow as if the broker had slept for so long. Tokens and connections do not:
   * their clients have not slept.
   *
   * @param by not negative
   * @return completes when all that is then due is done and durable
   * @throws IllegalArgumentException when it would go back, or beyond the year 9000
   * @throws IllegalStateException when the broker has a data folder, whose messages would be from
   *     the future after the next start
   */
  public CompletableFuture<Void> advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("the broker's time never goes back, and " + by + " would");
    }
    if (by.compareTo(Duration.between(now(), LATEST)) > 0) {
      throw new IllegalArgumentException("the broker's time ends at " + LATEST);
    }
    if (settings.data() != null) {
      throw new IllegalStateException("only a broker in memory lets its time be moved");
    }
    var millis = by.toMillis();
    return all(namespaces.stream().map(namespace -> namespace.advance(millis)).toList());
  }

  /** The broker's time: the machine's, and as much more as {@link #advance} moved it. */
  public Instant now() {
    return Instant.ofEpochMilli(standard().nowMillis());
  }

  /** The entities of all namespaces, for who changes them by a configuration. */
  List<Reload.Entities> entities() {
    return namespaces.stream().map(PeeklockServer::entities).toList();
  }

  private static Reload.Entities entities(Namespace namespace) {
    return new Reload.Entities() {
      @Override
      public String namespace() {
        return namespace.name();
      }

      @Override
      public Catalogue catalogue() {
        return namespace.catalogue();
      }

      @Override
      public CompletableFuture<EntitySetup.Outcome> ensure(List<Entity> wanted) {
        return namespace.ensure(wanted);
      }

      @Override
      public void replacePolicies(List<Policy> policies) {
        namespace.replacePolicies(policies);
      }
    };
  }

  /** What is bounded in all, and what of it is taken now. */
  List<BudgetUse> budgets() {
    var all = new ArrayList<>(new Figures().budgets());
    namespaces.forEach(namespace -> all.addAll(namespace.budgets()));
    return all;
  }

  /** Who may do what in a namespace. */
  AccessControl access(String namespace) {
    return namespaces.stream()
        .filter(each -> each.name().equals(namespace))
        .findAny()
        .orElseThrow()
        .access();
  }

  ServerSettings settings() {
    return settings;
  }

  NamespaceKey key() {
    return standard().key();
  }

  private Namespace standard() {
    return namespaces.getFirst();
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
    if (ports != null) {
      var open = ports;
      step("clients could not be told", () -> sayGoodbye(open));
    }
    closeLogs();
    if (metrics != null) {
      step("metrics could not be closed", metrics::close);
    }
    if (secrets != null) {
      step("certificates could not be left alone", secrets::close);
    }
    step("event loops could not be ended", loops::close);
    each(namespace -> namespace.shardExecutor().close());
  }

  /** Whatever goes wrong in one step takes the others nothing away. */
  private static void step(String trouble, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error failed) { // memory that is short, say
      LOG.error("Stopping: {}", trouble, failed);
    }
  }

  private void finishFlight(Listener open) {
    open.pauseReading();
    var quiet = new ArrayList<CompletableFuture<Void>>();
    each(namespace -> quiet.add(namespace.quiet()));
    await(all(quiet), FLIGHT_SECONDS, "what was in flight");
  }

  private void sayGoodbye(PortBindings portBindings) {
    var open = portBindings.listener();
    open.stopAccepting();
    finishFlight(open);
    var gone = open.allGone();
    open.resumeReading();
    each(namespace -> namespace.dismiss("The broker is shutting down"));
    portBindings.http().closeAll();
    await(gone, GOODBYE_SECONDS, "clients");
    open.dropAll();
  }

  private void closeLogs() {
    await(all(closing(namespaces, Namespace::name, Namespace::closeLog)), SYNC_SECONDS, "the log");
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Void>> parts) {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new));
  }

  /** Does something with every namespace; one that fails takes the others nothing away. */
  private void each(Consumer<Namespace> step) {
    each(namespaces, Namespace::name, step);
  }

  /** The same with anything that has a name. */
  static <T> void each(List<T> parts, Function<T, String> name, Consumer<T> step) {
    for (var part : parts) {
      step("the namespace " + name.apply(part) + " failed", () -> step.accept(part));
    }
  }

  /** Begins to close all logs; each that fails, now or later, is told, and holds up no other. */
  static <T> List<CompletableFuture<Void>> closing(
      List<T> parts, Function<T, String> name, Function<T, CompletableFuture<Void>> close) {
    var logs = new ArrayList<CompletableFuture<Void>>();
    each(
        parts,
        name,
        part ->
            logs.add(
                close
                    .apply(part)
                    .exceptionally(
                        failed -> {
                          LOG.error(
                              "Stopping: the log of the namespace {} could not be closed",
                              name.apply(part),
                              failed);
                          return null;
                        })));
    return logs;
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

  private Vitals vitals() {
    return new Vitals(namespaces, loops.watch()::allAnswer, () -> closed);
  }

  /** Where metrics come from. */
  private final class Figures implements Sources {
    @Override
    public String version() {
      return Version.current();
    }

    @Override
    public List<Namespace> namespaces() {
      return List.copyOf(namespaces);
    }

    @Override
    public List<BudgetUse> budgets() {
      var counts = connections();
      var all = new ArrayList<BudgetUse>();
      all.add(places("unauthenticated_connections", counts.unauthenticated(), counts.evicted()));
      all.add(places("connections", counts.authenticated(), counts.refused()));
      all.addAll(budgets.amqp().uses());
      all.addAll(opened(ports).http().budgets());
      return all;
    }

    @Override
    public CompletableFuture<Optional<String>> unready() {
      return vitals().unready();
    }

    private static BudgetUse places(String name, ConnectionCounts.Part part, long refused) {
      return new BudgetUse(name, part.open(), part.most(), refused);
    }

    @Override
    public List<DurationMeter> loopDelays() {
      return loops.watch().delays();
    }

    @Override
    public ConnectionCounts connections() {
      var bindings = ports;
      return bindings == null ? ConnectionCounts.NONE : bindings.listener().connections();
    }
  }
}
