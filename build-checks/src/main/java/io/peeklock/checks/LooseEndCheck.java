package io.peeklock.checks;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** No marker of unfinished work without the number of an issue, and no test switched off. */
final class LooseEndCheck implements Check {

  private static final Pattern MARKER = Pattern.compile("\\b(?:TODO|FIXME|XXX)\\b(?!\\(#\\d+\\))");

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var violations = new ArrayList<Violation>();
    for (var file : files) {
      // This file has to spell what it looks for, and prose may talk about it.
      if (!file.isMarkdown() && !file.name().equals("LooseEndCheck.java")) {
        checkMarkers(file, violations);
      }
    }
    var java = files.stream().filter(SourceFile::isJava).toList();
    Syntax.of(java).forEach((file, syntax) -> checkSwitchedOff(file, syntax, violations));
    return violations;
  }

  private static void checkMarkers(SourceFile file, List<Violation> violations) {
    long number = 0;
    for (var line : file.text().lines().toList()) {
      number++;
      if (MARKER.matcher(line).find()) {
        violations.add(
            new Violation(file.path(), number, "name the issue, as in (#12), or do it now"));
      }
    }
  }

  private static void checkSwitchedOff(SourceFile file, Syntax syntax, List<Violation> violations) {
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitAnnotation(AnnotationTree annotation, @Nullable Void nothing) {
        var name = annotation.getAnnotationType().toString();
        if (name.substring(name.lastIndexOf('.') + 1).startsWith("Disabled")) {
          var complaint = "a test is not switched off; use NotRun.because(...) if it cannot run";
          violations.add(new Violation(file.path(), syntax.firstLine(annotation), complaint));
        }
        return super.visitAnnotation(annotation, null);
      }
    }.scan(syntax.unit(), null);
  }
}
