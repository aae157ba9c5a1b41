package io.peeklock.checks;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Methods of at most 70 lines. How long a file is follows from its concept, and is no rule. */
final class SizeCheck implements Check {

  private static final int METHOD_LINES = 70;

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var violations = new ArrayList<Violation>();
    var java = files.stream().filter(SourceFile::isJava).toList();
    Syntax.of(java).forEach((file, syntax) -> checkMethods(file, syntax, violations));
    return violations;
  }

  private static void checkMethods(SourceFile file, Syntax syntax, List<Violation> violations) {
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
        judge(method, method.getName() + "()");
        return super.visitMethod(method, null);
      }

      @Override
      public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
        for (var member : type.getMembers()) {
          if (member instanceof BlockTree) {
            judge(member, "an initialiser");
          }
        }
        return super.visitClass(type, null);
      }

      private void judge(Tree tree, String what) {
        long lines = syntax.lines(tree);
        if (lines > METHOD_LINES) {
          var complaint = what + " has " + lines + " lines, at most " + METHOD_LINES;
          violations.add(new Violation(file.path(), syntax.firstLine(tree), complaint));
        }
      }
    }.scan(syntax.unit(), null);
  }
}
