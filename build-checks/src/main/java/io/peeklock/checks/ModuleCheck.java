package io.peeklock.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Every module is named in {@code ARCHITECTURE.md}, and a module with code has tests. */
final class ModuleCheck implements Check {

  private static final Pattern TEST =
      Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|FuzzTest)\\b");

  private final List<String> modules;

  ModuleCheck(List<String> modules) {
    this.modules = modules;
  }

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var violations = new ArrayList<Violation>();
    var map = text(files, "ARCHITECTURE.md");
    for (var module : modules) {
      if (!map.contains("`" + module + "/`")) {
        violations.add(
            new Violation("ARCHITECTURE.md", 0, "does not name the module `" + module + "/`"));
      }
      // Without a single test there is no coverage record, so the coverage bar would not be asked.
      if (hasCode(files, module) && !hasTests(files, module)) {
        violations.add(new Violation(module, 0, "has code and not one test"));
      }
    }
    return violations;
  }

  private static String text(List<SourceFile> files, String path) {
    return files.stream()
        .filter(file -> file.path().equals(path))
        .map(SourceFile::text)
        .findFirst()
        .orElse("");
  }

  private static boolean hasCode(List<SourceFile> files, String module) {
    return !module.equals("benchmarks")
        && files.stream()
            .anyMatch(
                file ->
                    file.isJava()
                        && file.path().startsWith(module + "/src/main/")
                        && !file.name().equals("package-info.java"));
  }

  private static boolean hasTests(List<SourceFile> files, String module) {
    return files.stream()
        .anyMatch(
            file ->
                file.isJava()
                    && file.path().startsWith(module + "/src/test/")
                    && TEST.matcher(file.text()).find());
  }
}
