package io.peeklock.simulator.client;

import java.util.HashMap;
import java.util.Map;

/** Names for locks that no other lock of a run has, though each process counts anew. */
final class LockIds {
  /** No process gives it: what is asked with it is of a lock that is over. */
  private static final long NOBODY = Long.MAX_VALUE;

  private final Map<Long, Long> byKernels = new HashMap<>();
  private final Map<Long, Long> kernels = new HashMap<>();
  private long last;

  long name(long kernels) {
    var known = byKernels.get(kernels);
    if (known == null) {
      known = ++last;
      byKernels.put(kernels, known);
      this.kernels.put(known, kernels);
    }
    return known;
  }

  long kernels(long name) {
    return kernels.getOrDefault(name, NOBODY);
  }

  /** Another process has begun. */
  void restarted() {
    byKernels.clear();
    kernels.clear();
  }
}
