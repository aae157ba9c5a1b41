package io.peeklock.server;

import io.peeklock.http.Probes;
import io.peeklock.kernel.grant.WaitReason;
import io.peeklock.runtime.meter.LogMeter;
import io.peeklock.runtime.meter.WaitMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What probes are told of a whole process: it is as well as the worst of its parts. It is ready
 * when a send would be answered now: every event loop answers and can lay a body down, the shard of
 * each namespace brings a batch through its log and its gate, none of its stages stands still,
 * there is room, and checkpoints and compaction do not fail again and again. It is dead only where
 * a restart would help.
 */
final class Vitals implements Probes.Condition {
  /** A part that does not answer for so long stands still. */
  private static final long PATIENCE_MILLIS = 2_000;

  /** Operators are told when shard time is so far ahead of the clock. */
  private static final long WRONG_CLOCK_MILLIS = 60_000;

  /**
   * After so many failures in a row it is not by chance. Until then checkpoints were tried for a
   * minute and a half, compaction for three.
   */
  static final long MANY_FAILURES = 4;

  private static final Optional<String> WELL = Optional.empty();

  private final List<Namespace> namespaces;
  private final Supplier<CompletableFuture<Void>> loops;
  private final BooleanSupplier stopping;

  /**
   * Of a broker whose namespaces are all open.
   *
   * @param loops completes when every event loop has answered
   * @param stopping whether it takes nothing more
   */
  Vitals(
      List<Namespace> namespaces,
      Supplier<CompletableFuture<Void>> loops,
      BooleanSupplier stopping) {
    this.namespaces = List.copyOf(namespaces);
    this.loops = loops;
    this.stopping = stopping;
  }

  @Override
  public CompletableFuture<Optional<String>> unready() {
    if (stopping.getAsBoolean()) {
      return CompletableFuture.completedFuture(Optional.of("the broker is stopping"));
    }
    return worst(inTime(loops.get(), "an event loop serves nobody"), Vitals::troubleOf);
  }

  @Override
  public Optional<String> warning() {
    var said =
        Stream.of(
                wrongClock().stream(),
                namespaces.stream().flatMap(each -> logTroubles(each.log(), 1).stream()).distinct(),
                heldUp(namespaces.stream().map(Namespace::waits).toList()).stream())
            .flatMap(each -> each)
            .collect(Collectors.joining("; "));
    return said.isEmpty() ? Optional.empty() : Optional.of(said);
  }

  /** Names no entity, as nobody has to log in to probe. */
  static Optional<String> heldUp(List<WaitMeter> waits) {
    var said = new ArrayList<String>();
    for (var reason : WaitReason.values()) {
      var entities = waits.stream().mapToInt(each -> each.queues(reason)).sum();
      if (entities > 0) {
        said.add("of " + WaitMeter.entities(entities) + ", as " + WaitMeter.words(reason));
      }
    }
    return said.isEmpty()
        ? WELL
        : Optional.of(
            "messages are stuck: " + String.join(", ", said) + "; the broker's log names them");
  }

  private Optional<String> wrongClock() {
    var ahead = namespaces.stream().mapToLong(Namespace::clockAheadMillis).max().orElse(0);
    return ahead < WRONG_CLOCK_MILLIS
        ? Optional.empty()
        : Optional.of(
            "broker time is "
                + ahead / 1_000
                + " s ahead of the machine's clock, which was wrong before");
  }

  /**
   * What a log could not do for itself. It is tried again by a timer, so a failure that is over is
   * not told for longer than until then, whether there is traffic or not.
   *
   * @param fromInARow so many failures in a row are worth telling
   */
  static Optional<String> logTroubles(LogMeter log, long fromInARow) {
    var checkpoints = log.failedCheckpointsInARow();
    if (checkpoints >= fromInARow) {
      return Optional.of(
          "no checkpoint could be written, "
              + checkpoints
              + " in a row, so that starts take longer and disk space is not given back;"
              + " the broker's log says why");
    }
    var compactions = log.failedCompactionsInARow();
    return compactions < fromInARow
        ? WELL
        : Optional.of(
            "the log could not be compacted, "
                + compactions
                + " times in a row, so that disk space is not given back;"
                + " the broker's log says why");
  }

  @Override
  public CompletableFuture<Optional<String>> dead() {
    return worst(
        CompletableFuture.completedFuture(WELL), namespace -> onItsThread(namespace, WELL));
  }

  /** The first that has something to say is heard. */
  private CompletableFuture<Optional<String>> worst(
      CompletableFuture<Optional<String>> first,
      Function<Namespace, CompletableFuture<Optional<String>>> question) {
    var worst = first;
    for (var namespace : namespaces) {
      var answer =
          namespace.broken().isDone()
              ? CompletableFuture.completedFuture(Optional.of("the log cannot be written"))
              : question.apply(namespace);
      worst = first(worst, answer);
    }
    return worst;
  }

  /** Where there is no room nothing is written to find out whether it could be. */
  private static CompletableFuture<Optional<String>> troubleOf(Namespace namespace) {
    return CompletableFuture.supplyAsync(namespace::fullness, namespace.shardExecutor()::execute)
        .completeOnTimeout(WELL, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
        .thenCompose(
            full ->
                full.isPresent()
                    ? CompletableFuture.completedFuture(full)
                    : troubleWithRoom(namespace));
  }

  private static CompletableFuture<Optional<String>> troubleWithRoom(Namespace namespace) {
    var proven = inTime(namespace.prove(), "nothing becomes durable");
    var standing =
        CompletableFuture.supplyAsync(namespace::standing, namespace.shardExecutor()::execute)
            .completeOnTimeout(
                Optional.of("the shard does not answer"), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    var staged = inTime(namespace.proveEdge(), "bodies of messages cannot be laid down");
    var kept = CompletableFuture.completedFuture(logTroubles(namespace.log(), MANY_FAILURES));
    return first(first(first(staged, proven), standing), kept);
  }

  private static CompletableFuture<Optional<String>> first(
      CompletableFuture<Optional<String>> one, CompletableFuture<Optional<String>> other) {
    return one.thenCombine(other, (before, now) -> before.isPresent() ? before : now);
  }

  private static CompletableFuture<Optional<String>> onItsThread(
      Namespace namespace, Optional<String> answer) {
    return CompletableFuture.supplyAsync(() -> answer, namespace.shardExecutor()::execute);
  }

  /** Well when this completes in time, else in trouble. */
  private static CompletableFuture<Optional<String>> inTime(
      CompletableFuture<Void> part, String trouble) {
    var said = Optional.of(trouble + " for " + PATIENCE_MILLIS + " ms");
    return part.handle((done, failed) -> failed == null ? WELL : Optional.of(trouble))
        .completeOnTimeout(said, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
