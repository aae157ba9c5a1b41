package io.peeklock.examples.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./peeklock demo}: plays every scene and ends with 1 if one differs from the article. */
@Command(
    name = "demo",
    description = {
      "Plays the article \"Message transfers, locks, and settlement\" with the official Java"
          + " client, and prints what it says beside what happened.",
      "It starts a broker of its own in a temporary folder, with a slow line before it."
    },
    mixinStandardHelpOptions = true)
public final class DemoMain implements Callable<Integer> {
  private static final int DIFFERS = 1;

  @Option(
      names = "--round-trip",
      paramLabel = "MILLIS",
      defaultValue = "70",
      description = "round trip of the slow line (default: ${DEFAULT-VALUE}, the article's)")
  private int roundTripMillis;

  private final PrintStream out;

  DemoMain(PrintStream out) {
    this.out = out;
  }

  /** Runs it and ends the process. */
  public static void main(String[] arguments) {
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.exit(new CommandLine(new DemoMain(out)).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    var began = System.nanoTime();
    var differing = new ArrayList<String>();
    try (var stage = open()) {
      out.println(
          "A broker listens on port " + stage.broker().port() + "; the slow line before it,");
      out.println(
          "with a round trip of " + roundTripMillis + " ms, on port " + stage.slowPort() + ".");
      for (var scene : scenes(stage)) {
        if (!play(scene)) {
          differing.add(scene.rules());
        }
      }
    }
    var seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
    out.println();
    if (differing.isEmpty()) {
      out.println("All as the article says (" + seconds + " s).");
      return 0;
    }
    out.println("Not as the article says: " + String.join("; ", differing));
    return DIFFERS;
  }

  private Stage open() throws IOException {
    return new Stage(Duration.ofMillis(roundTripMillis));
  }

  private static List<Scene> scenes(Stage stage) {
    var scenes = new ArrayList<Scene>();
    scenes.addAll(new Transfers(stage).scenes());
    scenes.addAll(new Locks(stage).scenes());
    scenes.addAll(new Settlements(stage).scenes());
    scenes.addAll(new Jobs(stage).scenes());
    return scenes;
  }

  /** Prints a scene; whether it went as the article says. */
  boolean play(Scene scene) {
    out.println();
    out.println(scene.rules());
    out.println("  the article  " + scene.article());
    Result result;
    try {
      result = scene.play().play();
    } catch (Exception fault) {
      result = new Result("it could not be played: " + fault, false);
    }
    out.println("  happened     " + result.happened());
    out.println(result.asWritten() ? "  as written" : "  DIFFERS");
    return result.asWritten();
  }
}
