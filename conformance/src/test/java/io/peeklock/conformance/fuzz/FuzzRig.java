package io.peeklock.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Jcmd;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.PlainHttp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A broker under attack, the witness beside it, and the judge of both. */
final class FuzzRig implements AutoCloseable {
  private static final long MOST_GROWN_BYTES = 48L << 20;
  private static final long MOST_STOP_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long GARDEN_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final Pattern WRONG =
      Pattern.compile("\tat | ERROR |invariant|OutOfMemory|a run is open|LEAK");
  private static final List<String> VICTIMS =
      List.of(
          Scripts.VICTIM,
          Scripts.SESSIONS + ",RequiresSession=true",
          Scripts.DUPLICATES + ",RequiresDuplicateDetection=true");

  private final BrokerProcess broker;
  private final Witness witness;
  private final long quietHeap;
  private long nextGarden = System.nanoTime() + GARDEN_NANOS;
  private final List<Long> p99s = new ArrayList<>();
  private int gardened;
  private int judgedLines;
  private @Nullable String wrong;

  /**
   * Starts both; the broker tells of buffers that nobody gave back.
   *
   * @param options of the broker, such as for its memory or folder
   */
  FuzzRig(List<String> options) throws IOException, InterruptedException {
    this(options, "advanced", 0);
  }

  private FuzzRig(List<String> options, String leakDetection, long pauseNanos)
      throws IOException, InterruptedException {
    var all = new ArrayList<>(options);
    for (var victim : VICTIMS) {
      all.addAll(List.of("--queue", victim + ",DefaultMessageTimeToLive=PT5S"));
    }
    all.addAll(List.of("--topic", Scripts.TOPIC + ",DefaultMessageTimeToLive=PT5S"));
    all.addAll(List.of("--subscription", Scripts.TOPIC + "/all"));
    all.addAll(BrokerProcess.queueOptions(List.of(Witness.QUEUE)));
    all.addAll(BrokerProcess.queueOptions(List.of(Witness.SESSIONS + ",RequiresSession=true")));
    broker =
        BrokerProcess.startWith(
            Map.of(
                "PEEKLOCK_LOG",
                "warn",
                "PEEKLOCK_JVM_FLAGS",
                "-Dio.netty.leakDetection.level=" + leakDetection),
            Folders.fresh("fuzz"),
            all);
    witness = new Witness(broker.port(), pauseNanos);
    quietHeap = Jcmd.liveBytes(Jcmd.histogram(broker));
  }

  /** Starts both, to be measured: a broker as it is elsewhere, a client that leaves it time. */
  static FuzzRig toMeasure(List<String> options) throws IOException, InterruptedException {
    return new FuzzRig(options, "disabled", PAUSE_NANOS);
  }

  int port() {
    return broker.port();
  }

  /** Lets the witness work alone for a while; returns its p99. */
  long quiet(int trips) {
    var until = witness.trips() + trips;
    Patience.until("trips", () -> witness.failure() != null || witness.trips() >= until);
    witness.p99Micros();
    var end = witness.trips() + trips;
    Patience.until("trips", () -> witness.failure() != null || witness.trips() >= end);
    return witness.p99Micros();
  }

  /**
   * Lets the attack go on to its end or for so long; ends it at the first thing that is wrong.
   *
   * @param beside done each ten seconds
   */
  void watch(Attack attack, long seed, long nanos, Runnable beside)
      throws IOException, InterruptedException {
    var began = System.nanoTime();
    var first = attack.next();
    var nextProgress = began + PROGRESS_NANOS;
    while (!attack.over() && System.nanoTime() - began < nanos && wrong() == null) {
      LockSupport.parkNanos(TICK_NANOS);
      garden();
      if (System.nanoTime() > nextProgress) {
        nextProgress += PROGRESS_NANOS;
        progress(attack, first, began);
        beside.run();
      }
    }
    var found = wrong();
    var from = attack.sinceWhen();
    var to = attack.next();
    attack.stop();
    progress(attack, first, began);
    beside.run();
    if (found != null) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "seed %d, before stream %d: %s%nplay again: -Dfuzz.replay=%s%n%s",
              seed,
              to,
              found,
              Finds.write(seed, from, to),
              broker.output().tail(30)));
    }
  }

  private void progress(Attack attack, long first, long began) {
    var streams = attack.next() - first;
    var p99 = measure();
    var perSecond = streams * 1_000_000_000L / Math.max(1, System.nanoTime() - began);
    System.out.printf(
        Locale.ROOT,
        "fuzz: stream %d, %d a second, %d not taken to their end; witness: %d trips, p99 %d us%n",
        attack.next(),
        perSecond,
        attack.unconnected(),
        witness.trips(),
        p99);
  }

  /** The witness's p99 since the last question, in microseconds. */
  long measure() {
    var p99 = witness.p99Micros();
    p99s.add(p99);
    return p99;
  }

  /** What was measured up to now does not count. */
  void forget() {
    measure();
    p99s.clear();
  }

  /** The middle one of all that was measured, in microseconds. */
  long p99() {
    var sorted = p99s.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }

  /** Makes a victim anew: what heaped up in it goes, and what a stream removed comes back. */
  private void garden() throws IOException {
    if (System.nanoTime() < nextGarden || !broker.alive()) {
      return;
    }
    nextGarden = System.nanoTime() + GARDEN_NANOS;
    var victim = VICTIMS.get(gardened++ % VICTIMS.size()).split(",", -1);
    var properties = victim.length == 1 ? "" : element(victim[1]);
    ask("DELETE", "/" + victim[0], "");
    ask(
        "PUT",
        "/" + victim[0],
        PlainHttp.queue("<DefaultMessageTimeToLive>PT5S</DefaultMessageTimeToLive>" + properties));
  }

  private static String element(String property) {
    var parts = property.split("=", -1);
    return "<" + parts[0] + ">" + parts[1] + "</" + parts[0] + ">";
  }

  private String ask(String method, String path, String body) {
    try {
      var token = method.equals("GET") ? "" : "Authorization: " + Scripts.TOKEN + "\r\n";
      return PlainHttp.ask(broker.port(), method, path, token, body);
    } catch (IOException failed) {
      return failed.toString();
    }
  }

  /** The first thing that was wrong up to now, or null. */
  private @Nullable String wrong() {
    if (wrong == null) {
      wrong = wrongNow();
    }
    return wrong;
  }

  private @Nullable String wrongNow() {
    var failure = witness.failure();
    if (failure != null) {
      return "the witness: " + failure;
    }
    if (!broker.alive()) {
      return "the broker ended";
    }
    var lines = broker.output().since(judgedLines);
    judgedLines += lines.size();
    for (var line : lines) {
      if (WRONG.matcher(line).find()) {
        return line;
      }
    }
    return null;
  }

  /** Fails when something is wrong by now. */
  void expectWell(String about) {
    assertThat(wrong()).as(about).isNull();
  }

  String metrics() {
    return ask("GET", "/metrics", "");
  }

  /** When the attack is over: nothing is left of it, and the broker stops in its time. */
  void judge(String about) throws IOException, InterruptedException {
    witness.stop();
    assertThat(wrong()).as(about).isNull();
    assertThat(ask("GET", "/health", "")).as(about).startsWith("HTTP/1.1 200");
    assertThat(metric("peeklock_messages", "entity=\"" + Witness.QUEUE + "\"")).as(about).isZero();
    assertThat(metric("peeklock_messages", "entity=\"" + Witness.SESSIONS + "\""))
        .as(about)
        .isZero();
    Patience.until(about + ": connections go", () -> metric("peeklock_connections", "") <= 2);
    assertThat(ask("DELETE", "/$peeklock/entities?keep=entities", ""))
        .as(about)
        .startsWith("HTTP/1.1 20");
    var grown = Jcmd.liveBytes(Jcmd.histogram(broker)) - quietHeap;
    System.out.printf(
        Locale.ROOT,
        "fuzz: %d KB more on the heap, %d KB of direct memory, %d MB resident%n",
        grown >> 10,
        (long) metric("jvm_buffer_memory_used_bytes", "id=\"direct\"") >> 10,
        broker.residentBytes() >> 20);
    assertThat(grown).as("%s, heap", about).isLessThan(MOST_GROWN_BYTES);
    assertThat(wrong()).as(about).isNull();
    witness.close();
    var began = System.nanoTime();
    assertThat(broker.stop()).as("%s, exit code", about).isZero();
    assertThat(System.nanoTime() - began).as("%s, stop", about).isLessThan(MOST_STOP_NANOS);
    assertThat(wrongWhileStopping()).as(about).isNull();
  }

  private @Nullable String wrongWhileStopping() {
    return broker.output().since(judgedLines).stream()
        .filter(line -> WRONG.matcher(line).find())
        .findFirst()
        .orElse(null);
  }

  /** The sum of a metric over all its rows with this label. */
  double metric(String name, String label) {
    return ask("GET", "/metrics", "")
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public void close() throws IOException {
    witness.close();
    broker.close();
  }
}
