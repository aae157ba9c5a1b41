package io.peeklock.checks;

import java.util.List;

/**
 * A rule about the files of the repository, as a pure function so that it can be fed a violation.
 */
@FunctionalInterface
interface Check {

  /** What breaks the rule; empty when nothing does. */
  List<Violation> check(List<SourceFile> files);
}
