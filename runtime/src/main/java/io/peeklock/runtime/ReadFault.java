package io.peeklock.runtime;

import java.io.IOException;

/**
 * A read that failed for lack of memory or by our own fault, so the stored bytes may be intact.
 * Only the reader is given up; a queue stops only for damaged bytes.
 */
public final class ReadFault extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * One of a read.
   *
   * @param what was being read, in words
   * @param fault that ended it
   */
  public ReadFault(String what, Throwable fault) {
    super(what + ": " + fault, fault);
  }
}
