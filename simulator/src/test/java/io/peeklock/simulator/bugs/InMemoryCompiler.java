package io.peeklock.simulator.bugs;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles sources against the running class path, and writes no file. */
final class InMemoryCompiler {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Kept, as it remembers what is in the class path. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, StandardCharsets.UTF_8);

  private InMemoryCompiler() {}

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("broken:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Compiled extends SimpleJavaFileObject {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Compiled(String name) {
      super(URI.create("broken:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
    }

    @Override
    public OutputStream openOutputStream() {
      return bytes;
    }
  }

  private static final class Classes extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, Compiled> made = new HashMap<>();

    Classes(StandardJavaFileManager manager) {
      super(manager);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        JavaFileManager.Location location,
        String name,
        JavaFileObject.Kind kind,
        FileObject sibling) {
      return made.computeIfAbsent(name, Compiled::new);
    }

    Map<String, byte[]> bytes() {
      var bytes = new HashMap<String, byte[]>();
      made.forEach((name, compiled) -> bytes.put(name, compiled.bytes.toByteArray()));
      return bytes;
    }
  }

  /**
   * The classes of these sources, by name.
   *
   * @param sources by the name of their type
   * @throws IllegalStateException with what the compiler says when they are wrong
   */
  static Map<String, byte[]> compile(Map<String, String> sources) {
    var classes = new Classes(FILES);
    var words = new StringWriter();
    var options =
        List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
    var units = sources.entrySet().stream().map(each -> new Source(each.getKey(), each.getValue()));
    if (!COMPILER.getTask(words, classes, null, options, null, units.toList()).call()) {
      throw new IllegalStateException(words.toString());
    }
    return classes.bytes();
  }
}
