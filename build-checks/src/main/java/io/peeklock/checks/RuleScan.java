package io.peeklock.checks;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the tests say they prove: every {@code @Rule} in a test source, and every rule that a suite
 * in another language told without a fault in this build.
 *
 * @param provers the tests by the rule that they name
 * @param violations ids that are misspelled or that no page knows
 */
record RuleScan(Map<RuleId, Set<String>> provers, List<Violation> violations) {

  static RuleScan of(Repository repository, RuleCatalogue catalogue) {
    var scan = of(repository.files(), catalogue);
    for (var told : SuiteReports.of(repository)) {
      told.rules().forEach(id -> scan.add(told.report(), 0, id, told.name(), catalogue));
    }
    return scan;
  }

  static RuleScan of(List<SourceFile> files, RuleCatalogue catalogue) {
    var scan = new RuleScan(new TreeMap<>(), new ArrayList<>());
    for (var file : files) {
      if (file.isJava() && file.path().contains("/src/test/") && file.text().contains("@Rule")) {
        scan.read(file, catalogue);
      }
    }
    return scan;
  }

  private void read(SourceFile file, RuleCatalogue catalogue) {
    var syntax = Syntax.of(file);
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      private boolean insideRule;
      private String type = "";
      private String method = "";

      @Override
      public @Nullable Void visitClass(ClassTree node, @Nullable Void nothing) {
        var outer = type;
        type = node.getSimpleName().toString();
        super.visitClass(node, null);
        type = outer;
        return null;
      }

      @Override
      public @Nullable Void visitMethod(MethodTree node, @Nullable Void nothing) {
        method = "." + node.getName();
        super.visitMethod(node, null);
        method = "";
        return null;
      }

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
          add(file.path(), syntax.firstLine(literal), id, type + method, catalogue);
        }
        return null;
      }
    }.scan(syntax.unit(), null);
  }

  private void add(String path, long line, String id, String test, RuleCatalogue catalogue) {
    if (RuleId.isId(id) && catalogue.has(RuleId.of(id))) {
      provers.computeIfAbsent(RuleId.of(id), unseen -> new TreeSet<>()).add(test);
    } else {
      violations.add(new Violation(path, line, "no page in docs/internals knows rule " + id));
    }
  }

  Set<RuleId> proven() {
    return provers.keySet();
  }
}
