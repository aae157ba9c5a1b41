package io.peeklock.house;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Every room is named in {@code ARCHITECTURE.md}, and a room with code has tests. */
final class ModuleCheck implements Check {

  private static final Pattern TEST =
      Pattern.compile("@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|FuzzTest)\\b");

  private final List<String> rooms;

  ModuleCheck(List<String> rooms) {
    this.rooms = rooms;
  }

  @Override
  public List<Finding> check(List<SourceFile> files) {
    var findings = new ArrayList<Finding>();
    var map = text(files, "ARCHITECTURE.md");
    for (var room : rooms) {
      if (!map.contains("`" + room + "/`")) {
        findings.add(new Finding("ARCHITECTURE.md", 0, "does not name the room `" + room + "/`"));
      }
      // Without a single test there is no coverage record, so the coverage bar would not be asked.
      if (hasCode(files, room) && !hasTests(files, room)) {
        findings.add(new Finding(room, 0, "has code and not one test"));
      }
    }
    return findings;
  }

  private static String text(List<SourceFile> files, String path) {
    return files.stream()
        .filter(file -> file.path().equals(path))
        .map(SourceFile::text)
        .findFirst()
        .orElse("");
  }

  private static boolean hasCode(List<SourceFile> files, String room) {
    return !room.equals("benchmarks")
        && files.stream()
            .anyMatch(
                file ->
                    file.isJava()
                        && file.path().startsWith(room + "/src/main/")
                        && !file.name().equals("package-info.java"));
  }

  private static boolean hasTests(List<SourceFile> files, String room) {
    return files.stream()
        .anyMatch(
            file ->
                file.isJava()
                    && file.path().startsWith(room + "/src/test/")
                    && TEST.matcher(file.text()).find());
  }
}
