package io.peeklock.checks;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * How many of the long proofs have run in this checkout, now or before: a build without {@code
 * -Pproof} runs none.
 */
final class LongProofs {
  private static final Pattern WHOLE_CLASS =
      Pattern.compile("^@LongProof\\R(?:@.*\\R)*(?:abstract |final )*class ", Pattern.MULTILINE);

  private LongProofs() {}

  /**
   * A line for the end of the build.
   *
   * @param exists whether a file is there, by its path from the root
   */
  static String line(List<SourceFile> files, Predicate<String> exists) {
    var reports =
        files.stream()
            .filter(file -> file.path().contains("/src/test/java/"))
            .filter(file -> WHOLE_CLASS.matcher(file.text()).find())
            .map(file -> reportOf(file.path()))
            .toList();
    var ran = reports.stream().filter(exists).count();
    var line =
        "Classes of long proofs that have run in this checkout: " + ran + " of " + reports.size();
    return ran == reports.size() ? line : line + "; mvn -B verify -Pproof runs them all";
  }

  /** Where the report of a test class is written. */
  private static String reportOf(String source) {
    var parts = source.split("/src/test/java/", 2);
    var type = parts[1].substring(0, parts[1].length() - ".java".length()).replace('/', '.');
    return parts[0] + "/target/surefire-reports/TEST-" + type + ".xml";
  }
}
