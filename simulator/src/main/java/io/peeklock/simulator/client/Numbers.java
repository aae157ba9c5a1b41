package io.peeklock.simulator.client;

/** Numbers of what clients ask, each of which is given once in a run. */
public final class Numbers {
  private long last;

  /** Those of a run that begins. */
  public Numbers() {}

  /** The next one. */
  public long next() {
    return ++last;
  }
}
