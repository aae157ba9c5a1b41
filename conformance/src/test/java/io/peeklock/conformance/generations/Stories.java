package io.peeklock.conformance.generations;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Stories that a client tells side by side; each prints how it went. For one thread. */
final class Stories {
  /** What the line of a story that went well begins with. */
  static final String TOLD = "TOLD ";

  /** What the line of any other begins with. */
  static final String FAILED = "FAILED ";

  private static final int LIMIT_SECONDS = 150;

  private final Map<String, Story> stories = new LinkedHashMap<>();

  /** One of them; what it throws is what went wrong. */
  interface Story {
    void tell() throws Exception;
  }

  Stories add(String name, Story story) {
    stories.put(name, story);
    return this;
  }

  /** Tells all; ends the process, for clients leave threads behind. */
  void tell() throws InterruptedException {
    var told = new LinkedHashMap<String, Thread>();
    stories.forEach(
        (name, story) -> told.put(name, Thread.ofPlatform().start(() -> print(line(name, story)))));
    var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    for (var entry : told.entrySet()) {
      var thread = entry.getValue();
      if (!thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
        var stack = String.valueOf(List.of(thread.getStackTrace()));
        print(FAILED + entry.getKey() + ": not done after " + LIMIT_SECONDS + " s" + stack);
      }
    }
    System.exit(0);
  }

  private static String line(String name, Story story) {
    try {
      story.tell();
      return TOLD + name;
    } catch (Exception | AssertionError failed) {
      return FAILED + name + ": " + String.valueOf(failed).replace('\n', ' ') + at(failed);
    }
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static String at(Throwable cause) {
    for (var frame : cause.getStackTrace()) {
      if (frame.getClassName().startsWith("io.peeklock")) {
        return " at " + frame;
      }
    }
    return "";
  }

  /** Fails unless both are equal. */
  static void equal(Object expected, @Nullable Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError("expected " + expected + ", not " + actual);
    }
  }

  /** Fails unless it is so. */
  static void isSo(String what, boolean isSo) {
    if (!isSo) {
      throw new AssertionError("not so: " + what);
    }
  }

  /** Fails unless this is refused, with this class of exception or with one inside. */
  static void refused(String exception, Story story) throws Exception {
    try {
      story.tell();
    } catch (Exception refusal) {
      for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
        if (cause.getClass().getSimpleName().equals(exception)) {
          return;
        }
      }
      throw refusal;
    }
    throw new AssertionError("not refused as " + exception);
  }
}
