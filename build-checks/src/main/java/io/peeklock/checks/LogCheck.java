package io.peeklock.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where clients are heard, lines of the log have a pace: a line that a client can cause, it can
 * cause a million times, and fill the disk. So nothing above debug is written there but through a
 * {@code RateLimitedLog}.
 */
final class LogCheck implements Check {
  private static final Pattern MODULE = Pattern.compile("(?:amqp-engine|amqp|http)/src/main/.*");
  private static final Pattern LINE = Pattern.compile("\\bLOG\\s*\\.(?:error|warn|info)\\(");

  /** The trace that an operator asks for, and who of those with a key changed what. */
  private static final Set<String> FREE = Set.of("WireLog.java", "AdminApi.java");

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var violations = new ArrayList<Violation>();
    for (var file : files) {
      if (MODULE.matcher(file.path()).matches() && !FREE.contains(file.name())) {
        checkLines(file, violations);
      }
    }
    return violations;
  }

  private static void checkLines(SourceFile file, List<Violation> violations) {
    long number = 0;
    for (var line : file.text().lines().toList()) {
      number++;
      if (LINE.matcher(line).find()) {
        violations.add(new Violation(file.path(), number, "write it through a RateLimitedLog"));
      }
    }
  }
}
