package io.peeklock.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Questions to the JVM of a broker; each stops its world for a moment. */
public final class Jcmd {
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
  private static final int PATIENCE_SECONDS = 60;

  private Jcmd() {}

  /** Living objects by class, the largest first, after a full collection. */
  public static String histogram(BrokerProcess broker) throws IOException, InterruptedException {
    return ask(broker, "GC.class_histogram");
  }

  /** Bytes of living objects, as the last line of a histogram says. */
  public static long liveBytes(String histogram) throws IOException {
    var total = TOTAL.matcher(histogram);
    if (!total.find()) {
      throw new IOException("the histogram has no total: " + histogram);
    }
    return Long.parseLong(total.group(1));
  }

  /** Asks the broker's JVM, with the tool of the same JDK. */
  public static String ask(BrokerProcess broker, String... question)
      throws IOException, InterruptedException {
    var pid = Long.toString(broker.pid());
    var java = Path.of("/proc", pid, "exe").toRealPath();
    var command = new ArrayList<>(List.of(java.resolveSibling("jcmd").toString(), pid));
    command.addAll(List.of(question));
    var output = Files.createTempFile("jcmd", ".txt");
    try {
      var tool =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!tool.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        tool.destroyForcibly();
        throw new IOException("no answer from process " + pid + " to " + command);
      }
      return Files.readString(output, StandardCharsets.UTF_8);
    } finally {
      Files.delete(output);
    }
  }
}
