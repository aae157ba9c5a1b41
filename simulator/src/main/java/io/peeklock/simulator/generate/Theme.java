package io.peeklock.simulator.generate;

import static io.peeklock.simulator.generate.StepKind.ACCEPT;
import static io.peeklock.simulator.generate.StepKind.ADD_RULE;
import static io.peeklock.simulator.generate.StepKind.CANCEL;
import static io.peeklock.simulator.generate.StepKind.CANCEL_IN;
import static io.peeklock.simulator.generate.StepKind.CREATE;
import static io.peeklock.simulator.generate.StepKind.CREDIT;
import static io.peeklock.simulator.generate.StepKind.DECLARE;
import static io.peeklock.simulator.generate.StepKind.DEFERRED;
import static io.peeklock.simulator.generate.StepKind.DELETE;
import static io.peeklock.simulator.generate.StepKind.DISCHARGE;
import static io.peeklock.simulator.generate.StepKind.DRAIN;
import static io.peeklock.simulator.generate.StepKind.EMPTY;
import static io.peeklock.simulator.generate.StepKind.GET_STATE;
import static io.peeklock.simulator.generate.StepKind.INJECT;
import static io.peeklock.simulator.generate.StepKind.OPEN;
import static io.peeklock.simulator.generate.StepKind.PASS;
import static io.peeklock.simulator.generate.StepKind.PEEK;
import static io.peeklock.simulator.generate.StepKind.REMOVE_RULE;
import static io.peeklock.simulator.generate.StepKind.RENEW;
import static io.peeklock.simulator.generate.StepKind.RENEW_SESSION;
import static io.peeklock.simulator.generate.StepKind.REPLACE_RULE;
import static io.peeklock.simulator.generate.StepKind.SCHEDULE;
import static io.peeklock.simulator.generate.StepKind.SEND;
import static io.peeklock.simulator.generate.StepKind.SEND_BATCH;
import static io.peeklock.simulator.generate.StepKind.SEND_IN;
import static io.peeklock.simulator.generate.StepKind.SETTLE;
import static io.peeklock.simulator.generate.StepKind.SETTLE_IN;
import static io.peeklock.simulator.generate.StepKind.SETTLE_OLD;
import static io.peeklock.simulator.generate.StepKind.SET_STATE;
import static io.peeklock.simulator.generate.StepKind.STATE_IN;
import static io.peeklock.simulator.generate.StepKind.UPDATE;

import io.peeklock.simulator.world.Fault;
import io.peeklock.simulator.world.RandomSource;
import java.util.List;
import java.util.Set;

/**
 * What a run is mostly about, so that what needs several steps in a row comes to its end: steps
 * that it takes often, features that it has, and faults in place of those that chance gives.
 */
enum Theme {
  /** Chance alone says. */
  ANYTHING(List.of(), Set.of(), List.of()),
  CRASHES(
      List.of(SEND, PEEK, INJECT),
      Set.of(),
      List.of(
          Fault.KILL,
          Fault.POWER,
          Fault.POWER_WITH_FLIPPED_BITS,
          Fault.POWER_WITH_FLIPPED_BITS,
          Fault.STOP)),
  READS(
      List.of(SEND, SEND_BATCH, PEEK, CREDIT, DEFERRED, INJECT),
      Set.of(),
      List.of(
          Fault.LATE_READS,
          Fault.EARLY_READS,
          Fault.THREAD_STALLS,
          Fault.READ_FAILS_ONCE,
          Fault.READS_FAIL,
          Fault.STOP)),
  CLOCKS(
      List.of(SCHEDULE, PASS, INJECT),
      Set.of(Feature.TIME_TO_LIVE),
      List.of(Fault.CLOCK, Fault.SLEEP, Fault.KILL, Fault.STOP)),
  LOCKS(
      List.of(OPEN, CREDIT, SETTLE, SETTLE_OLD, RENEW, DEFERRED, PASS, INJECT),
      Set.of(Feature.TIME_TO_LIVE),
      List.of(Fault.SHARD_STALLS, Fault.THREAD_STALLS, Fault.KILL)),
  BACKLOG(
      List.of(SEND_BATCH, OPEN, CREDIT, DRAIN, PASS, INJECT),
      Set.of(Feature.TIME_TO_LIVE, Feature.LARGE_BATCHES),
      List.of(Fault.SHARD_STALLS)),
  TRANSACTIONS(
      List.of(DECLARE, SEND_IN, SETTLE_IN, STATE_IN, CANCEL_IN, DISCHARGE, SCHEDULE, ACCEPT),
      Set.of(Feature.SESSIONS),
      List.of(Fault.KILL, Fault.POWER)),
  SESSIONS(
      List.of(ACCEPT, SET_STATE, GET_STATE, RENEW_SESSION, SETTLE, INJECT),
      Set.of(Feature.SESSIONS),
      List.of(Fault.STOP, Fault.KILL, Fault.POWER)),
  DUPLICATES(
      List.of(SEND, SEND_BATCH, SCHEDULE, INJECT),
      Set.of(Feature.DUPLICATES, Feature.QUOTAS),
      List.of(Fault.STOP, Fault.KILL, Fault.POWER)),
  QUOTAS(List.of(SEND, SEND_BATCH, SETTLE, CANCEL), Set.of(Feature.QUOTAS), List.of(Fault.STOP)),
  TOPICS(
      List.of(SEND, SCHEDULE, ADD_RULE, REMOVE_RULE, REPLACE_RULE),
      Set.of(Feature.TOPICS),
      List.of(Fault.STOP, Fault.LATE_READS, Fault.EARLY_READS)),
  FORWARDING(
      List.of(SEND, SCHEDULE, INJECT),
      Set.of(Feature.FORWARDING, Feature.SESSIONS, Feature.DUPLICATES, Feature.TOPICS),
      List.of(Fault.STOP, Fault.LATE_READS, Fault.EARLY_READS, Fault.READ_FAILS_ONCE)),
  ADMINISTRATION(
      List.of(CREATE, UPDATE, DELETE, EMPTY, ADD_RULE, REPLACE_RULE),
      Set.of(Feature.STATUSES, Feature.TOPICS),
      List.of(Fault.STOP, Fault.KILL, Fault.POWER, Fault.CREATE_FAILS));

  private static final int OFTEN = 4;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  final List<Fault> faults;

  /** Once in so many runs there is no disk. */
  final int inMemory;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<StepKind> often;

  @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
  private final Set<Feature> features;

  Theme(List<StepKind> often, Set<Feature> features, List<Fault> faults) {
    this.often = often;
    this.features = features;
    this.faults = faults;
    this.inMemory = features.contains(Feature.FORWARDING) ? 2 : often.contains(INJECT) ? 8 : 4;
  }

  /** What entities of a run may have. */
  enum Feature {
    SESSIONS,
    DUPLICATES,
    FORWARDING,
    TIME_TO_LIVE,
    QUOTAS,
    STATUSES,
    TOPICS,
    LARGE_BATCHES
  }

  /** One of them: often none at all. */
  static Theme of(RandomSource random) {
    return random.oneIn(3) ? ANYTHING : random.of(values());
  }

  boolean has(Feature feature) {
    return features.contains(feature);
  }

  boolean needs(StepKind kind) {
    return often.contains(kind);
  }

  /** How often a step is taken, beside the others. */
  int weight(StepKind kind) {
    return often.contains(kind) ? OFTEN * Math.max(1, kind.weight) : kind.weight;
  }
}
