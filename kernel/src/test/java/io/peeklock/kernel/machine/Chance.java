package io.peeklock.kernel.machine;

/** Numbers that look random and come out the same for a seed on every machine. */
public final class Chance {

  private long state;

  public Chance(long seed) {
    state = seed;
  }

  long next() {
    state += 0x9E37_79B9_7F4A_7C15L;
    long mixed = (state ^ (state >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** From 0 to below the bound. */
  public int below(int bound) {
    return (int) Long.remainderUnsigned(next(), bound);
  }

  /** True once in so many times. */
  public boolean oneIn(int times) {
    return below(times) == 0;
  }
}
