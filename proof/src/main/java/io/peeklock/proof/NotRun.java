package io.peeklock.proof;

import org.opentest4j.TestAbortedException;

/**
 * Says that this machine cannot run a test, and why.
 *
 * <p>The test is reported as skipped. The last lines of the build list every reason, and a test
 * that was skipped in any other way fails the build.
 */
public final class NotRun {

  /** What the message of every such skip begins with; the build's last step looks for it. */
  public static final String MARK = "NotRun: ";

  private NotRun() {}

  /**
   * Ends the running test as "not run".
   *
   * @param reason what is missing, for a person to read, for example {@code no Node on this
   *     machine}
   * @throws TestAbortedException always; declared as the result so that a caller can {@code throw}
   *     it
   */
  public static TestAbortedException because(String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("say why the test cannot run here");
    }
    throw new TestAbortedException(MARK + reason);
  }
}
