package io.peeklock.checks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The pages for contributors name no class that is not there: whatever looks like one, in
 * backticks, is a word of some source.
 */
final class ClassNameCheck implements Check {

  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

  /**
   * Of two parts at least, as one could be a word of English, and no part of a path or a header.
   */
  private static final Pattern CLASS =
      Pattern.compile("(?<![\\w$/:-])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+\\b");

  private static final Pattern WORD = Pattern.compile("\\w+");

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var known = new HashSet<String>();
    for (var file : files) {
      if (!file.isMarkdown()) {
        WORD.matcher(file.text()).results().forEach(word -> known.add(word.group()));
      }
    }
    var violations = new ArrayList<Violation>();
    for (var file : files) {
      if (isForContributors(file.path())) {
        checkPage(file, known, violations);
      }
    }
    return violations;
  }

  private static boolean isForContributors(String path) {
    return path.equals("ARCHITECTURE.md")
        || path.equals("CONTRIBUTING.md")
        || (path.startsWith("docs/adr/") && path.endsWith(".md"));
  }

  private static void checkPage(SourceFile page, Set<String> known, List<Violation> violations) {
    long number = 0;
    var code = false;
    for (var line : page.text().lines().toList()) {
      number++;
      if (line.strip().startsWith("```")) {
        code = !code;
      }
      if (!code) {
        checkLine(page, number, line, known, violations);
      }
    }
  }

  private static void checkLine(
      SourceFile page, long number, String line, Set<String> known, List<Violation> violations) {
    var span = SPAN.matcher(line);
    while (span.find()) {
      var name = CLASS.matcher(span.group(1));
      while (name.find()) {
        if (!known.contains(name.group())) {
          violations.add(new Violation(page.path(), number, "there is no class " + name.group()));
        }
      }
    }
  }
}
