package io.peeklock.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * No file imports from a package above its own, not even for its comments, of which {@link Walls}
 * sees nothing: what a comment names is read, and moves along, with the code.
 */
final class ImportCheck implements Check {

  private static final Pattern PACKAGE = Pattern.compile("^package ([a-z0-9_.]+);");
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(io\\.peeklock\\.[a-z0-9_.]*[a-z0-9_])\\.[A-Z*].*");

  private final List<PackageLayers> layers;

  ImportCheck(List<PackageLayers> layers) {
    this.layers = layers;
  }

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var violations = new ArrayList<Violation>();
    for (var file : files) {
      if (file.isJava() && file.path().contains("/src/main/")) {
        checkImports(file, violations);
      }
    }
    return violations;
  }

  private void checkImports(SourceFile file, List<Violation> violations) {
    var from = "";
    long number = 0;
    for (var line : file.text().lines().toList()) {
      number++;
      var declared = PACKAGE.matcher(line);
      var imported = IMPORT.matcher(line);
      if (declared.matches()) {
        from = declared.group(1);
      } else if (imported.matches() && !isAllowed(from, imported.group(1))) {
        violations.add(
            new Violation(file.path(), number, from + " may not import from " + imported.group(1)));
      }
    }
  }

  private boolean isAllowed(String from, String to) {
    return layers.stream().allMatch(each -> each.allows(from, to));
  }
}
