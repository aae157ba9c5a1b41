package io.peeklock.checks;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * At most 12 ways through a method of the product, as McCabe counts them: one, and one more for
 * each place where it parts. A switch whose cases are arrows is a table, in which a reader looks up
 * one row, and counts once; what its rows decide counts beside. Methods of classes within a method
 * count for themselves, lambdas with the method.
 */
final class ComplexityCheck implements Check {

  private static final int MOST = 12;

  @Override
  public List<Violation> check(List<SourceFile> files) {
    var violations = new ArrayList<Violation>();
    var product =
        files.stream().filter(f -> f.isJava() && f.path().contains("/src/main/")).toList();
    Syntax.of(product).forEach((file, syntax) -> checkMethods(file, syntax, violations));
    return violations;
  }

  private static void checkMethods(SourceFile file, Syntax syntax, List<Violation> violations) {
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
        int ways = method.getBody() == null ? 1 : Ways.through(method.getBody());
        if (ways > MOST) {
          var complaint = method.getName() + "() has " + ways + " ways through it, at most " + MOST;
          violations.add(new Violation(file.path(), syntax.firstLine(method), complaint));
        }
        return super.visitMethod(method, null);
      }
    }.scan(syntax.unit(), null);
  }

  /** Counts the places where a method parts. */
  private static final class Ways extends TreeScanner<@Nullable Void, @Nullable Void> {
    private int partings;

    static int through(Tree body) {
      var ways = new Ways();
      ways.scan(body, null);
      return 1 + ways.partings;
    }

    @Override
    public @Nullable Void visitClass(ClassTree inner, @Nullable Void nothing) {
      return null;
    }

    @Override
    public @Nullable Void visitIf(IfTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitIf(tree, null);
    }

    @Override
    public @Nullable Void visitConditionalExpression(
        ConditionalExpressionTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitConditionalExpression(tree, null);
    }

    @Override
    public @Nullable Void visitForLoop(ForLoopTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitForLoop(tree, null);
    }

    @Override
    public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitEnhancedForLoop(tree, null);
    }

    @Override
    public @Nullable Void visitWhileLoop(WhileLoopTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitWhileLoop(tree, null);
    }

    @Override
    public @Nullable Void visitDoWhileLoop(DoWhileLoopTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitDoWhileLoop(tree, null);
    }

    @Override
    public @Nullable Void visitCatch(CatchTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitCatch(tree, null);
    }

    @Override
    public @Nullable Void visitBinary(BinaryTree tree, @Nullable Void nothing) {
      if (tree.getKind() == Tree.Kind.CONDITIONAL_AND
          || tree.getKind() == Tree.Kind.CONDITIONAL_OR) {
        partings++;
      }
      return super.visitBinary(tree, null);
    }

    @Override
    public @Nullable Void visitSwitch(SwitchTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitSwitch(tree, null);
    }

    @Override
    public @Nullable Void visitSwitchExpression(SwitchExpressionTree tree, @Nullable Void nothing) {
      partings++;
      return super.visitSwitchExpression(tree, null);
    }

    @Override
    public @Nullable Void visitCase(CaseTree tree, @Nullable Void nothing) {
      partings += tree.getCaseKind() == CaseTree.CaseKind.STATEMENT ? 1 : 0;
      return super.visitCase(tree, null);
    }
  }
}
