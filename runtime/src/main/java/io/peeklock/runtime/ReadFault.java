package io.peeklock.runtime;

import java.io.IOException;

/**
 * A read did not come to its end, for want of memory or by a fault of ours: what is stored may well
 * be whole. Whoever asked is given up, alone; a queue stops only for what is damaged.
 */
public final class ReadFault extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * One of a read.
   *
   * @param what was read
   * @param fault that ended it
   */
  public ReadFault(String what, Throwable fault) {
    super(what + ": " + fault, fault);
  }
}
