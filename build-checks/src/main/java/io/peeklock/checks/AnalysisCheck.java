package io.peeklock.checks;

import java.util.ArrayList;
import java.util.List;

/**
 * The sources of every module are looked at by Error Prone and NullAway: they stand in {@code
 * static-analysis/pom.xml}, which names each folder.
 */
final class AnalysisCheck implements Check {

  private static final String POM = "static-analysis/pom.xml";

  private final List<String> modules;

  AnalysisCheck(List<String> modules) {
    this.modules = modules;
  }

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var pom =
        files.stream()
            .filter(file -> file.path().equals(POM))
            .map(SourceFile::text)
            .findFirst()
            .orElse("");
    var violations = new ArrayList<Violation>();
    for (var module : modules) {
      for (var part : List.of("main", "test")) {
        var folder = module + "/src/" + part + "/java";
        boolean has = files.stream().anyMatch(f -> f.isJava() && f.path().startsWith(folder + "/"));
        if (has && !pom.contains("/../" + folder + "<")) {
          violations.add(new Violation(POM, 0, "does not name " + folder));
        }
      }
    }
    return violations;
  }
}
