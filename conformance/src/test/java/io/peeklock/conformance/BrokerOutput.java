package io.peeklock.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Everything that a broker printed, on both streams, line by line; safe for any thread. */
public final class BrokerOutput {
  private final List<String> lines = new ArrayList<>();
  private int openStreams;

  /** Adds what a stream says, each line, until it ends, on a thread of that name. */
  public void collect(InputStream stream, String name) {
    synchronized (this) {
      openStreams++;
    }
    Thread.ofPlatform().daemon().name(name).start(() -> drain(stream));
  }

  private void drain(InputStream stream) {
    try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (var line = reader.readLine(); line != null; line = reader.readLine()) {
        add(line);
      }
    } catch (IOException broken) {
      add("(reading the broker's output failed: " + broken + ")");
    } finally {
      ended();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  private synchronized void ended() {
    openStreams--;
    notifyAll();
  }

  /** How many lines there are: a mark for {@link #since}. */
  public synchronized int mark() {
    return lines.size();
  }

  /** The lines after a mark. */
  public synchronized List<String> since(int mark) {
    return List.copyOf(lines.subList(mark, lines.size()));
  }

  /** All of it as one text. */
  public synchronized String text() {
    return String.join("\n", lines);
  }

  /** The last lines, for messages of failures. */
  public synchronized String tail(int count) {
    return String.join("\n", lines.subList(Math.max(0, lines.size() - count), lines.size()));
  }

  /**
   * Waits for a line after the mark in which the pattern is found.
   *
   * @return empty when the time is over, or when both streams ended without it
   */
  public synchronized Optional<MatchResult> await(int mark, Pattern pattern, Duration limit) {
    var deadline = System.nanoTime() + limit.toNanos();
    var next = mark;
    while (true) {
      for (; next < lines.size(); next++) {
        var match = pattern.matcher(lines.get(next));
        if (match.find()) {
          return Optional.of(match.toMatchResult());
        }
      }
      var leftMillis = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0 || openStreams == 0) {
        return Optional.empty();
      }
      try {
        wait(leftMillis);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return Optional.empty();
      }
    }
  }
}
