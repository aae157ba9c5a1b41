package io.peeklock.conformance.generations;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a client in a process of its own said.
 *
 * @param told names of the stories that went well, in order
 * @param failed the others, each with the reason
 * @param said all that it printed
 */
record ClientProcess(List<String> told, List<String> failed, String said) {
  private static final int PATIENCE_MINUTES = 8;

  /**
   * Runs a main class to its end.
   *
   * @param classPath what comes before the class path of this process
   * @param flags of the JVM
   */
  static ClientProcess run(
      List<Path> classPath, List<String> flags, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    var path = new ArrayList<String>();
    classPath.forEach(jar -> path.add(jar.toString()));
    path.add(System.getProperty("java.class.path"));
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(flags);
    command.addAll(List.of("-cp", String.join(java.io.File.pathSeparator, path), main.getName()));
    command.addAll(arguments);
    var output = Files.createTempFile("client", ".txt");
    try {
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly().waitFor();
      }
      return of(Files.readString(output, StandardCharsets.UTF_8));
    } finally {
      Files.delete(output);
    }
  }

  private static ClientProcess of(String said) {
    return new ClientProcess(after(Stories.TOLD, said), after(Stories.FAILED, said), said);
  }

  private static List<String> after(String beginning, String said) {
    return said.lines()
        .filter(line -> line.startsWith(beginning))
        .map(line -> line.substring(beginning.length()))
        .toList();
  }
}
