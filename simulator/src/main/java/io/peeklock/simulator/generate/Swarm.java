package io.peeklock.simulator.generate;

import io.peeklock.simulator.generate.Theme.Feature;
import io.peeklock.simulator.world.Fault;
import io.peeklock.simulator.world.RandomSource;
import io.peeklock.simulator.world.WorldSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one run is about: a subset of operations, properties, faults and sizes, so that what is left
 * comes often and together.
 *
 * @param weights of the moves that it has
 * @param faults that it has; may be none
 * @param sizes of messages
 * @param batch most messages of a large batch
 * @param ids how many message ids, sessions and colors there are
 */
public record Swarm(
    WorldSettings world,
    Map<StepKind, Integer> weights,
    List<Fault> faults,
    List<Integer> sizes,
    int batch,
    int ids,
    int queues,
    int topics,
    boolean sessions,
    boolean duplicates,
    boolean forwarding,
    boolean timeToLive,
    boolean quotas,
    boolean statuses) {
  private static final List<Integer> SMALL = List.of(0, 1, 64, 700);
  private static final int LARGE = 1_200_000;
  private static final int LARGEST = 3_000_000;

  /** The one of a seed. */
  public static Swarm of(long seed) {
    var random = new RandomSource(seed);
    var theme = Theme.of(random);
    var onDisk = !random.oneIn(theme.inMemory);
    var weights = weights(random, theme);
    return new Swarm(
        world(random, onDisk, theme, weights.containsKey(StepKind.DRAIN)),
        weights,
        faults(random, onDisk, theme),
        sizes(random),
        theme.has(Feature.LARGE_BATCHES) ? 400 : 120,
        random.between(1, 6),
        random.between(1, 4),
        theme.has(Feature.TOPICS) ? random.of(1, 2) : random.of(0, 0, 1, 2),
        random.oneIn(2) || theme.has(Feature.SESSIONS),
        random.oneIn(3) || theme.has(Feature.DUPLICATES),
        random.oneIn(3) || theme.has(Feature.FORWARDING),
        random.oneIn(2) || theme.has(Feature.TIME_TO_LIVE),
        random.oneIn(4) || theme.has(Feature.QUOTAS),
        random.oneIn(4) || theme.has(Feature.STATUSES));
  }

  /** Without room for deliveries drains end before what is there, which nobody could judge. */
  private static WorldSettings world(
      RandomSource random, boolean onDisk, Theme theme, boolean drains) {
    var reads = theme == Theme.READS;
    return new WorldSettings(
        onDisk,
        random.of(2L, 8L, 64L) << 20,
        (reads ? random.of(8L, 16L) : random.of(8L, 64L, 1_024L)) << 10,
        reads ? 0 : random.of(0L, 64L << 10, 64L << 20),
        random.of(16L, 256L, 4_096L) << 10,
        random.of(1L, 4L) << 20,
        random.of(8L, 256L) << 15,
        (drains ? 1L << 20 : random.of(64L, 16_384L)) << 10,
        random.of(256L, 65_536L) << 10,
        random.of(0L, 0L, 300_000L, 5_000_000L));
  }

  private static Map<StepKind, Integer> weights(RandomSource random, Theme theme) {
    var weights = new EnumMap<StepKind, Integer>(StepKind.class);
    for (var move : StepKind.values()) {
      if (!random.oneIn(3) || move.isNeeded() || theme.needs(move)) { // a draw for each
        weights.put(move, theme.weight(move) * random.of(1, 1, 2, 4));
      }
    }
    return Collections.unmodifiableMap(weights);
  }

  private static List<Fault> faults(RandomSource random, boolean onDisk, Theme theme) {
    var faults = new ArrayList<Fault>();
    var none = random.oneIn(5);
    var isThemed = !theme.faults.isEmpty();
    for (var fault : isThemed ? theme.faults : List.of(Fault.values())) {
      if (!none && (onDisk || !fault.needsDisk()) && (isThemed || random.oneIn(2))) {
        faults.add(fault);
      }
    }
    return List.copyOf(faults);
  }

  private static List<Integer> sizes(RandomSource random) {
    var sizes = new ArrayList<>(SMALL);
    if (random.oneIn(3)) {
      sizes.add(9_000);
    }
    if (random.oneIn(4)) {
      sizes.add(90_000);
    }
    if (random.oneIn(10)) {
      sizes.add(LARGE);
    }
    if (random.oneIn(20)) {
      sizes.add(LARGEST);
    }
    return List.copyOf(sizes);
  }
}
