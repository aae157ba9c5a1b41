package io.peeklock.conformance.backlog;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Jcmd;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** How long steps of checkpoints kept the shard's thread, out of a broker's flight recording. */
final class CheckpointPauses {
  private static final String EVENT = "io.peeklock.CheckpointStep";
  private static final int LONGEST = 5;
  private static final double NANOS_IN_MILLI = 1e6;

  private CheckpointPauses() {}

  /** A line for people. */
  static String recordedIn(BrokerProcess broker) throws IOException, InterruptedException {
    var file = Files.createTempFile("pauses", ".jfr");
    try {
      var answer = Jcmd.ask(broker, "JFR.dump", "filename=" + file);
      if (Files.size(file) == 0) {
        throw new IOException("no recording: " + answer);
      }
      var events = RecordingFile.readAllEvents(file);
      var pauses = durations(events, EVENT);
      var collections = durations(events, "jdk.GCPhasePause");
      return describe("steps of checkpoints", pauses) + describe(", collections", collections);
    } finally {
      Files.delete(file);
    }
  }

  private static double[] durations(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .mapToDouble(event -> event.getDuration().toNanos() / NANOS_IN_MILLI)
        .sorted()
        .toArray();
  }

  private static String describe(String what, double[] millis) {
    if (millis.length == 0) {
      return what + ": none";
    }
    return String.format(
        Locale.ROOT,
        "%s: %d, in all %.0f ms, p50 %.3f ms, p99.9 %.3f ms, longest %s ms",
        what,
        millis.length,
        Arrays.stream(millis).sum(),
        millis[millis.length / 2],
        millis[(int) (millis.length * 0.999)],
        Arrays.stream(millis, Math.max(0, millis.length - LONGEST), millis.length)
            .mapToObj(one -> String.format(Locale.ROOT, "%.1f", one))
            .collect(Collectors.joining(" ")));
  }
}
