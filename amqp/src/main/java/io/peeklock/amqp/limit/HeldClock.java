package io.peeklock.amqp.limit;

import io.peeklock.amqp.engine.link.SendingLink;

/**
 * For how long a client has let nothing through of what a link holds for it, by its credit or by
 * its session's window. While the socket takes nothing, {@code Outflow} has the clock.
 */
public final class HeldClock {
  /**
   * The bytes that it holds are missing to others for so long. A client whose program takes its
   * time over a message, and opens its window only then, must not be hit.
   */
  public static final long MOST_MILLIS = 60_000;

  private final SendingLink link;
  private long sinceMillis;
  private long delivered;
  private int frames;

  public HeldClock(SendingLink link) {
    this.link = link;
  }

  /** The client has all the time again. */
  public void restart(long nowMillis) {
    sinceMillis = nowMillis;
    delivered = link.deliveredCount();
    frames = link.sessionFrames();
  }

  /**
   * Whether the time is over.
   *
   * @param halfWay a delivery of the link has begun: it needs no credit any more
   * @param isWritable whether the socket takes more
   */
  public boolean isOver(long nowMillis, boolean halfWay, boolean isWritable) {
    var lacksCredit = !halfWay && link.credit() == 0;
    var byClient = isWritable && (lacksCredit || link.window() == 0);
    if (!byClient || hasMoved(lacksCredit)) {
      restart(nowMillis);
    }
    return nowMillis - sinceMillis >= MOST_MILLIS;
  }

  /** Deliveries of a session leave one after the other: who waits for another one waits well. */
  private boolean hasMoved(boolean lacksCredit) {
    return delivered != link.deliveredCount() || (!lacksCredit && frames != link.sessionFrames());
  }
}
