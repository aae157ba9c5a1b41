package io.peeklock.simulator.client;

import io.peeklock.simulator.history.Auditor;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happened at the edge of the broker, in the order in which it was asked and decided, though
 * some of it is told later. What is told stands behind what was decided before it.
 */
final class Chronicle {
  private final Auditor auditor;
  private final ArrayDeque<Line> lines = new ArrayDeque<>();

  Chronicle(Auditor auditor) {
    this.auditor = auditor;
  }

  /** A place in the order, whose words may not be known yet. */
  static final class Line {
    final long millis;
    private @Nullable Consumer<Auditor> words;
    private boolean isOver;

    private Line(long millis) {
      this.millis = millis;
    }

    /** This is what happened. */
    void write(Consumer<Auditor> told) {
      words = told;
      isOver = true;
    }

    /** Nobody was told. */
    void strikeOut() {
      isOver = true;
    }
  }

  /** A place for what is decided now. */
  Line open(long millis) {
    var line = new Line(millis);
    lines.add(line);
    return line;
  }

  /** It happens now, and is known. */
  void add(Consumer<Auditor> told) {
    open(0).write(told);
  }

  /** Tells what is known up to the first that is not. */
  void tell() {
    for (var line = lines.peek(); line != null && line.isOver; line = lines.peek()) {
      lines.remove();
      if (line.words != null) {
        line.words.accept(auditor);
      }
    }
  }

  /** Nothing more will become known: tells what is. */
  void tellAll() {
    for (var line = lines.poll(); line != null; line = lines.poll()) {
      if (line.words != null) {
        line.words.accept(auditor);
      }
    }
  }

  /** How many were decided of which nobody heard. */
  int untold() {
    return lines.size();
  }
}
