package io.peeklock.checks;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** No relative link of a Markdown page leads nowhere. */
final class LinkCheck implements Check {

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("^(?:[a-z][a-z+.-]*:|#|//).*");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");

  private final Predicate<String> exists;

  /**
   * @param exists whether a path relative to the root is a file or a folder
   */
  LinkCheck(Predicate<String> exists) {
    this.exists = exists;
  }

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var violations = new ArrayList<Violation>();
    for (var file : files) {
      if (file.isMarkdown()) {
        checkPage(file, violations);
      }
    }
    return violations;
  }

  private void checkPage(SourceFile page, List<Violation> violations) {
    long number = 0;
    boolean code = false;
    for (var line : page.text().lines().toList()) {
      number++;
      if (line.strip().startsWith("```")) {
        code = !code;
      }
      if (!code) {
        checkLine(page, number, CODE.matcher(line).replaceAll(""), violations);
      }
    }
  }

  private void checkLine(SourceFile page, long number, String line, List<Violation> violations) {
    var link = LINK.matcher(line);
    while (link.find()) {
      var target = link.group(1);
      if (!ELSEWHERE.matcher(target).matches() && !leadsSomewhere(page, target)) {
        violations.add(new Violation(page.path(), number, "dead link: " + target));
      }
    }
  }

  private boolean leadsSomewhere(SourceFile page, String target) {
    var path = target.contains("#") ? target.substring(0, target.indexOf('#')) : target;
    return exists.test(Path.of(page.folder()).resolve(path).normalize().toString());
  }
}
