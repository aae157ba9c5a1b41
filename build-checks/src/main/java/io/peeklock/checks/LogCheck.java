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
  public List<Finding> check(List<SourceFile> files) {
    var findings = new ArrayList<Finding>();
    for (var file : files) {
      if (MODULE.matcher(file.path()).matches() && !FREE.contains(file.name())) {
        checkLines(file, findings);
      }
    }
    return findings;
  }

  private static void checkLines(SourceFile file, List<Finding> findings) {
    long number = 0;
    for (var line : file.text().lines().toList()) {
      number++;
      if (LINE.matcher(line).find()) {
        findings.add(new Finding(file.path(), number, "write it through a RateLimitedLog"));
      }
    }
  }
}
