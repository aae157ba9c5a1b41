package io.peeklock.server.metrics;

import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.meter.LogMeter;
import io.peeklock.runtime.meter.ShardMeters;
import io.peeklock.runtime.meter.WaitMeter;
import io.peeklock.runtime.thread.AnyThread;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Where the metrics of one namespace come from. */
@AnyThread
public interface NamespaceSource {
  /** What operators call it. */
  String name();

  /** Who knows the entities, and what they hold. */
  Broker broker();

  /** What happened to messages. */
  ShardMeters meters();

  /** Whether what one entity forwards to another is incoming for that one too (S-300). */
  boolean forwardedIsIncoming();

  /** How many requests were refused because the namespace is throttled (S-447). */
  long throttled();

  /** What the log did. */
  LogMeter log();

  /** How far shard time is ahead of the machine's clock. */
  long clockAheadMillis();

  /**
   * For how long a stage of the shard has had work to do and made no progress; 0 when all go on.
   */
  long stoodMillis();

  /** The entities whose messages should move by themselves and cannot. */
  WaitMeter waits();

  /** What the metrics of its entities may take; always the same one. */
  MeterRoom meterRoom();

  /** What it bounds for itself; always the same ones. */
  List<BudgetUse> budgets();

  /** What the log takes; answered later. */
  CompletableFuture<Log.Use> use();
}
