package io.peeklock.server.metrics;

import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.meter.DurationMeter;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.transport.ConnectionCounts;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Where metrics come from. */
@AnyThread
public interface Sources {
  /** The version of the program. */
  String version();

  /** The namespaces, at least one; always the same ones. */
  List<? extends NamespaceSource> namespaces();

  /** By how much tasks of event loops came late, one meter for each loop; always the same ones. */
  List<DurationMeter> loopDelays();

  /** What all namespaces share; always the same ones. */
  List<BudgetUse> budgets();

  /** Why no message would be taken now; empty when all is well. Answers within some seconds. */
  CompletableFuture<Optional<String>> unready();

  /** Who is connected. */
  ConnectionCounts connections();
}
