package io.peeklock.house;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** A Java source as the JDK's own parser sees it: a tree and the lines its parts stand on. */
final class Syntax {

  private final CompilationUnitTree unit;
  private final SourcePositions positions;

  private Syntax(CompilationUnitTree unit, SourcePositions positions) {
    this.unit = unit;
    this.positions = positions;
  }

  static Syntax of(SourceFile file) {
    var diagnostics = new DiagnosticCollector<JavaFileObject>(); // keeps the parser off stderr
    var compiler = ToolProvider.getSystemJavaCompiler();
    var task =
        (JavacTask)
            compiler.getTask(
                null, null, diagnostics, List.of("-proc:none"), null, List.of(inMemory(file)));
    try {
      var unit = task.parse().iterator().next();
      return new Syntax(unit, Trees.instance(task).getSourcePositions());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JavaFileObject inMemory(SourceFile file) {
    return new SimpleJavaFileObject(
        URI.create("memory:///" + file.path()), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return file.text();
      }
    };
  }

  CompilationUnitTree unit() {
    return unit;
  }

  /** From 1. */
  long firstLine(Tree tree) {
    return unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
  }

  /** How many lines the tree stands on, annotations counted, its doc comment not. */
  long lines(Tree tree) {
    long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree));
    return last - firstLine(tree) + 1;
  }
}
