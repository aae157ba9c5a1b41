package io.peeklock.simulator.bugs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The broker's sources with a bug in them. */
final class BrokenSources {
  private static final String PACKAGE = "io.peeklock.";
  private static final Pattern TOKEN = Pattern.compile("\\w+|[^\\s\\w]");

  private BrokenSources() {}

  /** The repository that this runs in. */
  static Path repository() {
    var folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
      var parent = folder.getParent();
      if (parent == null) {
        throw new IllegalStateException("this does not run in a checkout");
      }
      folder = parent;
    }
    return folder;
  }

  /**
   * The sources that a bug changes, by the full name of their type.
   *
   * @throws IllegalStateException when what it replaces is not there, or more than once
   */
  static Map<String, String> of(SeededBug bug) {
    var sources = new LinkedHashMap<String, String>();
    for (var change : bug.changes()) {
      var name = PACKAGE + change.type();
      var text = sources.containsKey(name) ? sources.get(name) : read(change.type());
      sources.put(name, replaced(bug, change, text));
    }
    return sources;
  }

  private static String replaced(SeededBug bug, SeededBug.Change change, String text) {
    var matcher = pattern(change.before()).matcher(text);
    var places = (int) matcher.results().count();
    if (places != 1) {
      throw new IllegalStateException(
          "the code moved, renew the bug \""
              + bug.name()
              + "\": "
              + change.type()
              + " has it "
              + places
              + " times: "
              + change.before());
    }
    return matcher.reset().replaceFirst(Matcher.quoteReplacement(change.after()));
  }

  /** White space may be anywhere between two words, so that a formatter moves nothing. */
  private static Pattern pattern(String snippet) {
    var pattern = new StringBuilder();
    var endsInWord = false;
    for (var token : TOKEN.matcher(snippet).results().map(MatchResult::group).toList()) {
      var isWord = Character.isJavaIdentifierPart(token.charAt(0));
      pattern.append(endsInWord && isWord ? "\\s+" : "\\s*").append(Pattern.quote(token));
      endsInWord = isWord;
    }
    return Pattern.compile(pattern.substring("\\s*".length()));
  }

  private static String read(String type) {
    var module = type.substring(0, type.indexOf('.'));
    var file =
        repository()
            .resolve(module)
            .resolve("src/main/java")
            .resolve((PACKAGE + type).replace('.', '/') + ".java");
    try {
      return Files.readString(file);
    } catch (IOException missing) {
      throw new UncheckedIOException("the code moved: no source of " + type, missing);
    }
  }
}
