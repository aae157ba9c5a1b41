package io.peeklock.junit;

import io.peeklock.server.PeeklockServer;
import java.time.Duration;
import java.time.Instant;

/**
 * The broker's time. It goes on by itself, as much ahead of the machine's as it was moved. Locks,
 * session locks, schedules, times to live, duplicate windows and idle entities follow a move at
 * once, as if the broker had slept: what fell due in between is done once, at the new time.
 *
 * <p>Clients keep their own clocks. A client that computes a time itself, such as that of a
 * schedule, should start from {@link #now()} once the clock was moved. Tokens do not expire by a
 * move. Safe for any thread.
 */
public final class PeeklockClock {
  private final PeeklockServer server;

  PeeklockClock(PeeklockServer server) {
    this.server = server;
  }

  /** What the broker takes for now. */
  public Instant now() {
    return server.now();
  }

  /**
   * Moves time forward. Returns when all that is due by then is done.
   *
   * @param by not negative
   * @throws IllegalArgumentException when it is negative
   */
  public void advance(Duration by) {
    Waiting.on(server.advance(by), "moving the clock by " + by);
  }

  /**
   * Moves time forward to an instant. Returns when all that is due by then is done.
   *
   * @param to not before {@link #now()}
   * @throws IllegalArgumentException when it is
   */
  public void set(Instant to) {
    var now = server.now();
    if (to.isBefore(now)) {
      throw new IllegalArgumentException(
          "the broker's time never goes back, and " + to + " is before " + now);
    }
    advance(Duration.between(now, to));
  }
}
