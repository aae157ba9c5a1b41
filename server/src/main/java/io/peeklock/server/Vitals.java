package io.peeklock.server;

import io.peeklock.http.Probes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** What probes are told of a whole process: it is as well as the worst of its namespaces. */
final class Vitals implements Probes.Condition {
  private final List<Namespace> namespaces;
  private final BooleanSupplier stopping;

  /**
   * Of a broker whose namespaces are all open.
   *
   * @param stopping whether it takes nothing more
   */
  Vitals(List<Namespace> namespaces, BooleanSupplier stopping) {
    this.namespaces = List.copyOf(namespaces);
    this.stopping = stopping;
  }

  @Override
  public CompletableFuture<Optional<String>> unready() {
    return stopping.getAsBoolean()
        ? CompletableFuture.completedFuture(Optional.of("the broker is stopping"))
        : worst(
            namespace ->
                namespace.journal().takesSends()
                    ? Optional.empty()
                    : Optional.of("sends are refused for want of space"));
  }

  @Override
  public CompletableFuture<Optional<String>> dead() {
    return worst(namespace -> Optional.empty());
  }

  /** The first that has something to say is heard; one that is stuck says nothing at all. */
  private CompletableFuture<Optional<String>> worst(
      Function<Namespace, Optional<String>> question) {
    var worst = CompletableFuture.completedFuture(Optional.<String>empty());
    for (var namespace : namespaces) {
      worst =
          worst.thenCombine(
              asked(namespace, question), (before, now) -> before.isPresent() ? before : now);
    }
    return worst;
  }

  /** On the shard's thread, so that one who is stuck does not answer. */
  private static CompletableFuture<Optional<String>> asked(
      Namespace namespace, Function<Namespace, Optional<String>> question) {
    if (namespace.broken().isDone()) {
      return CompletableFuture.completedFuture(Optional.of("the log cannot be written"));
    }
    return CompletableFuture.supplyAsync(
        () -> question.apply(namespace), namespace.home()::execute);
  }
}
