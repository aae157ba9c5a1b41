package io.peeklock.simulator.world;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/** All that is random in a run, by a seed: the same on every machine. */
public final class RandomSource {
  private final SplittableRandom random;

  /** RandomSource that is the same for the same seed. */
  public RandomSource(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** Any number of 64 bits. */
  public long next() {
    return random.nextLong();
  }

  /** From 0 to below the bound. */
  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** From the least to the most, both of them possible. */
  public int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  /** True once in so many times. */
  public boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  /** One of them, all as likely. */
  public <T> T of(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  /** One of them, all as likely. */
  @SafeVarargs
  public final <T> T of(T... some) {
    return some[random.nextInt(some.length)];
  }

  /** The same random, for whom only knows the JDK's oldest form of it. */
  Random asRandom() {
    return Random.from(random);
  }
}
