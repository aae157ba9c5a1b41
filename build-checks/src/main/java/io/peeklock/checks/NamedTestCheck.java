package io.peeklock.checks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tests that docs/internals/client-suites.md names are there: after the name of a module a
 * class, or a class and a method, or more methods of that class. The first column has names of
 * others.
 */
final class NamedTestCheck implements Check {

  static final String PAGE = "docs/internals/client-suites.md";

  /** Of suites whose stories have names of their own. */
  private static final Set<String> LANGUAGES = Set.of("javascript", "python", "go", "rust");

  private static final Pattern NAME = Pattern.compile("`([A-Za-z0-9-]+)(?:\\.(\\w+))?`");

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var classes = new HashMap<String, String>();
    var violations = new ArrayList<Violation>();
    for (var file : files) {
      if (file.isJava() && file.path().contains("/src/test/")) {
        classes.put(nameOf(file.path()), file.text());
      }
    }
    for (var file : files) {
      if (file.path().equals(PAGE)) {
        new Reader(file, classes, violations).read();
      }
    }
    return violations;
  }

  /** Module and class. */
  private static String nameOf(String path) {
    var name = path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
    return path.substring(0, path.indexOf('/')) + " " + name;
  }

  /** Reads the page line by line. */
  private static final class Reader {
    private final SourceFile page;
    private final Map<String, String> classes;
    private final List<Violation> violations;
    private long line;
    private @Nullable String module;
    private @Nullable String text; // of the class that was named last

    Reader(SourceFile page, Map<String, String> classes, List<Violation> violations) {
      this.page = page;
      this.classes = classes;
      this.violations = violations;
    }

    void read() {
      for (var each : page.text().lines().toList()) {
        line++;
        module = null;
        text = null;
        var last = each.startsWith("|") ? each.substring(0, each.lastIndexOf('|')) : each;
        var names = NAME.matcher(last.substring(last.lastIndexOf('|') + 1));
        while (names.find()) {
          named(names.group(1), names.group(2));
        }
      }
    }

    private void named(String name, @Nullable String method) {
      if (LANGUAGES.contains(name)) {
        module = null;
        text = null;
      } else if (classes.keySet().stream().anyMatch(each -> each.startsWith(name + " "))) {
        module = name;
        text = null;
      } else if (module != null && name.endsWith("Test")) {
        text = classes.get(module + " " + name);
        if (text == null) {
          violations.add(new Violation(page.path(), line, "no test " + module + " " + name));
        } else if (method != null) {
          has(method);
        }
      } else if (text != null && method == null && Character.isLowerCase(name.charAt(0))) {
        has(name);
      }
    }

    private void has(String method) {
      if (text != null && !text.contains(" " + method + "(")) {
        violations.add(new Violation(page.path(), line, "no test named " + method));
      }
    }
  }
}
