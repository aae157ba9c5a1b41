package io.peeklock.house;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the tests say they prove: every {@code @Rule} in a test source.
 *
 * @param proven the statements named
 * @param findings ids that are misspelled or that no page knows
 */
record RuleScan(Set<Statement> proven, List<Finding> findings) {

  static RuleScan of(List<SourceFile> files, Catalogue catalogue) {
    var scan = new RuleScan(new TreeSet<>(), new ArrayList<>());
    for (var file : files) {
      if (file.isJava() && file.path().contains("/src/test/") && file.text().contains("@Rule")) {
        scan.read(file, catalogue);
      }
    }
    return scan;
  }

  private void read(SourceFile file, Catalogue catalogue) {
    var syntax = Syntax.of(file);
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      private boolean insideRule;

      @Override
      public @Nullable Void visitAnnotation(AnnotationTree annotation, @Nullable Void nothing) {
        var name = annotation.getAnnotationType().toString();
        insideRule = name.equals("Rule") || name.equals("io.peeklock.proof.Rule");
        scan(annotation.getArguments(), null);
        insideRule = false;
        return null;
      }

      @Override
      public @Nullable Void visitLiteral(LiteralTree literal, @Nullable Void nothing) {
        if (insideRule && literal.getValue() instanceof String id) {
          add(file, syntax.firstLine(literal), id, catalogue);
        }
        return null;
      }
    }.scan(syntax.unit(), null);
  }

  private void add(SourceFile file, long line, String id, Catalogue catalogue) {
    if (Statement.isId(id) && catalogue.has(Statement.of(id))) {
      proven.add(Statement.of(id));
    } else {
      findings.add(new Finding(file.path(), line, "no page in docs/internals knows rule " + id));
    }
  }
}
