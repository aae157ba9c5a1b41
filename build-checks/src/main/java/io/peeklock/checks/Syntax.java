package io.peeklock.checks;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    return of(List.of(file)).values().iterator().next();
  }

  /** All of them with one parser, whose making takes longer than the parsing. */
  static Map<SourceFile, Syntax> of(List<SourceFile> files) {
    if (files.isEmpty()) {
      return Map.of(); // which the compiler would refuse
    }
    var diagnostics = new DiagnosticCollector<JavaFileObject>(); // keeps the parser off stderr
    var compiler = ToolProvider.getSystemJavaCompiler();
    var sources = files.stream().map(Syntax::inMemory).toList();
    var task =
        (JavacTask) compiler.getTask(null, null, diagnostics, List.of("-proc:none"), null, sources);
    var all = new LinkedHashMap<SourceFile, Syntax>();
    try {
      var units = task.parse().iterator();
      var positions = Trees.instance(task).getSourcePositions();
      for (var file : files) {
        all.put(file, new Syntax(units.next(), positions));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all;
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
