package io.peeklock.amqp.limit;

import io.peeklock.amqp.engine.AmqpEngine;
import io.peeklock.amqp.engine.limits.Budget;
import io.peeklock.amqp.engine.limits.HalfFrameListener;
import io.peeklock.runtime.thread.AnyThread;

/**
 * What one connection holds for its client, weighed on its own and in the sum of all: deliveries
 * half received, answers that wait for credit, and audiences of tokens.
 */
public final class Holdings {
  /** A buffer that grows doubles: that much may be taken for what was received. */
  private static final int GROWTH = 2;

  /**
   * This part is left to frames that have come in part: one that finds no room costs the whole
   * connection, a delivery only itself.
   */
  private static final int FOR_FRAMES = 8;

  private final AmqpBudgets budgets;
  private final AmqpSettings.Limits limits;
  private final AmqpEngine engine;
  private final HalfFrameListener halfFrame;
  private volatile boolean unauthenticated = true;
  private boolean over;
  private long partial;
  private long replies;
  private long audiences;
  private long unread;

  public Holdings(
      AmqpBudgets budgets,
      AmqpSettings.Limits limits,
      AmqpEngine engine,
      HalfFrameListener halfFrame) {
    this.halfFrame = halfFrame;
    this.budgets = budgets;
    this.limits = limits;
    this.engine = engine;
    var unused = engine.allow(budgets.forUnauthenticated(halfFrame)); // it has no links yet
  }

  /** What so many bytes of a delivery take of the budget. */
  public static long takenFor(int bytes) {
    return GROWTH * (long) bytes;
  }

  /**
   * Counts bytes of deliveries that are half received; below 0 when they are let go.
   *
   * @return false when they are more than may be: then nothing was counted
   */
  public boolean partial(int bytes) {
    if (bytes > 0 && !mayHold(bytes)) {
      return false;
    }
    if (bytes < 0 && !over) {
      partials().give(GROWTH * (long) -bytes);
    }
    partial += bytes;
    return true;
  }

  private boolean mayHold(int bytes) {
    if (partial + bytes > most(limits.partialBytes())) {
      partials().refuse();
      return false;
    }
    var most = partials().most();
    return partials()
        .takeFairlyBelow(most - most / FOR_FRAMES, GROWTH * partial, GROWTH * (long) bytes);
  }

  /**
   * Counts an answer that may have to wait for credit.
   *
   * @return false when those that wait are more than may be: then it was not counted
   */
  public boolean reply(long bytes) {
    if (!mayReply(bytes)) {
      return false;
    }
    replies += bytes;
    return true;
  }

  private boolean mayReply(long bytes) {
    if (bytes <= 0) {
      return true; // it counts already
    }
    if (replies + bytes > mostInReplies()) {
      replied().refuse();
      return false;
    }
    return replied().takeFairly(replies, bytes);
  }

  /** One link as full as may be and an answer; of little memory not all, for others ask too. */
  private long mostInReplies() {
    var all = replied().most();
    var some = Math.max(all / 8, limits.replyBytes() + mostInAnswer());
    return most(Math.min(all / 2, some));
  }

  /**
   * An answer for which there was a reservation has so many bytes now.
   *
   * @param mustGo whether it counts also where there is no room for what it has more
   * @return false when there is no room: then nothing is counted any more
   */
  public boolean replied(long reserved, long bytes, boolean mustGo) {
    var more = Math.max(0, bytes - reserved);
    var hasRoom = mustGo ? replied().takeAnyway(more) : mayReply(more);
    if (!hasRoom && !mustGo) {
      replyGone(reserved);
      return false;
    }
    replies += more;
    replyGone(Math.max(0, reserved - bytes));
    return true;
  }

  /** The most bytes that one answer with messages may have. */
  public long mostInAnswer() {
    return Math.min(limits.replyBytes(), replied().most() / 4);
  }

  /** An answer that was counted is on its way, or will never be. */
  public void replyGone(long bytes) {
    if (!over) {
      replied().give(bytes);
      replies -= bytes;
    }
  }

  /**
   * Counts what waits for the socket and that nothing else counts, in place of what was told last.
   *
   * @return whether answers are more than they may be; who holds much leaves a part to others
   */
  public boolean unread(long bytes) {
    if (bytes != unread && !over) {
      var unused = unreads().takeAnyway(bytes - unread);
      unread = bytes;
    }
    return unreads().isOver(unread);
  }

  /** Whether answers take so much that others will soon be refused. */
  public boolean isReplyScarce() {
    return isHalfTaken(replied()) || isHalfTaken(unreads());
  }

  private static boolean isHalfTaken(Budget budget) {
    return budget.taken() >= budget.most() / 2;
  }

  /**
   * Counts an audience for which a token was put, with the links that it is for.
   *
   * @return false when there are more than may be: then it was not counted
   */
  public boolean audience(long bytes) {
    if (!budgets.links().takeFairly(audiences, bytes)) {
      return false;
    }
    audiences += bytes;
    return true;
  }

  /** The token of an audience has ended. */
  public void audienceGone(long bytes) {
    if (!over) {
      budgets.links().give(bytes);
      audiences -= bytes;
    }
  }

  /**
   * The client is authenticated: what it has counts in the large budgets from now on.
   *
   * @return false when they have no room for it
   */
  public boolean known() {
    if (!engine.allow(budgets.forAuthenticated(halfFrame))
        || (partial > 0 && !budgets.partialBytes().take(GROWTH * partial))) {
      return false;
    }
    if (replies > 0 && !budgets.replyBytes().take(replies)) {
      budgets.partialBytes().give(GROWTH * partial);
      return false;
    }
    var unused = budgets.unreadBytes().takeAnyway(unread); // as whatever it does not read
    budgets.unauthenticatedBytes().give(GROWTH * partial + replies + unread);
    unauthenticated = false;
    return true;
  }

  /** The connection is gone: so is whatever it held, what a fault has left over included. */
  public void giveBack() {
    if (!over) {
      over = true;
      partials().give(GROWTH * partial);
      replied().give(replies);
      unreads().give(unread);
      budgets.links().give(audiences);
    }
  }

  /** Whether what it has counts in the budgets of unauthenticated clients. */
  @AnyThread
  public boolean isUnauthenticated() {
    return unauthenticated;
  }

  private long most(long otherwise) {
    return unauthenticated ? Math.min(otherwise, AmqpBudgets.UNAUTHENTICATED_BYTES) : otherwise;
  }

  private Budget partials() {
    return unauthenticated ? budgets.unauthenticatedBytes() : budgets.partialBytes();
  }

  /** Not that of the answers once it is authenticated: they must not be refused for it. */
  private Budget unreads() {
    return unauthenticated ? budgets.unauthenticatedBytes() : budgets.unreadBytes();
  }

  private Budget replied() {
    return unauthenticated ? budgets.unauthenticatedBytes() : budgets.replyBytes();
  }
}
