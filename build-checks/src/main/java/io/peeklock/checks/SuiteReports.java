package io.peeklock.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** What the suites in other languages left in this build: one JSON object a line. */
final class SuiteReports {
  private static final String FOLDER = "conformance/target/suites";
  private static final Pattern STORY =
      Pattern.compile("\"test\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern OK = Pattern.compile("\"ok\"\\s*:\\s*true");
  private static final Pattern RULES = Pattern.compile("\"rules\"\\s*:\\s*\\[([^\\]]*)]");
  private static final Pattern RULE = Pattern.compile("\"([^\"]+)\"");

  private SuiteReports() {}

  /**
   * A story that was told without a fault.
   *
   * @param report the file, from the root
   * @param name language and name
   * @param rules what it proves
   */
  record Story(String report, String name, List<String> rules) {}

  static List<Story> of(Repository repository) {
    var folder = repository.root().resolve(FOLDER);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    var all = new ArrayList<Story>();
    try (var reports = Files.newDirectoryStream(folder, "*.jsonl")) {
      for (var report : reports) {
        var name = report.getFileName().toString();
        var language = name.substring(0, name.indexOf('.'));
        for (var line : Files.readAllLines(report)) {
          read(FOLDER + "/" + name, language, line, all);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return all;
  }

  static void read(String report, String language, String line, List<Story> into) {
    var story = STORY.matcher(line);
    var rules = RULES.matcher(line);
    if (OK.matcher(line).find() && story.find() && rules.find()) {
      var ids = RULE.matcher(rules.group(1)).results().map(found -> found.group(1)).toList();
      into.add(new Story(report, language + ": " + story.group(1), ids));
    }
  }
}
