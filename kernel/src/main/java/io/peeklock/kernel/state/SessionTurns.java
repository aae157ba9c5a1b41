package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.SortedLongs;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a queue that acceptors of any session may get, longest-waiting message first
 * (S-242, Q-4), and those whose holder can get a message, in turns.
 */
public final class SessionTurns {

  private final SortedLongs offered = new SortedLongs(); // as their messages
  private final Set<Session> ready = new LinkedHashSet<>();

  /** Those of them whose holder can get a message when room is scarce. */
  private final Set<Session> light = new LinkedHashSet<>();

  /** Sessions whose holder's drain can end. */
  private final Set<Session> drained = new LinkedHashSet<>();

  /** Sessions whose holder drains and can still get a message. */
  private final Set<Session> draining = new LinkedHashSet<>();

  /** Updates the places of a session after it or its holder changed. */
  void reconsider(Session session) {
    long offer = session.isTaken() ? SortedLongs.NONE : session.available.first();
    if (offer != session.offeredAs) {
      if (session.offeredAs != SortedLongs.NONE) {
        offered.remove(session.offeredAs);
      }
      session.offeredAs = offer;
      if (offer != SortedLongs.NONE) {
        offered.add(offer);
      }
    }
    put(ready, session, session.isReady());
    put(light, session, session.isReadyLightly());
    put(drained, session, session.isDrained());
    put(draining, session, session.isReady() && session.isDraining());
  }

  private static void put(Set<Session> among, Session session, boolean belongs) {
    if (belongs) {
      among.add(session);
    } else if (!among.isEmpty()) { // a new session has no identity hash yet, which costs to make
      among.remove(session);
    }
  }

  /** Moves a session behind the other ready ones after its turn. */
  public void hadItsTurn(Session session) {
    if (ready.remove(session)) {
      ready.add(session);
    }
    if (light.remove(session)) {
      light.add(session);
    }
  }

  /**
   * The sessions that can be accepted, longest-waiting message first: the numbers of those
   * messages.
   */
  public SortedLongs offered() {
    return offered;
  }

  public boolean hasOffers() {
    return !offered.isEmpty();
  }

  /** The sessions whose holder's drain can end. */
  public Iterable<Session> drained() {
    return drained;
  }

  boolean hasDrained() {
    return !drained.isEmpty();
  }

  /**
   * The sessions whose holder drains and can still get a message; the drain must end when there is
   * no room.
   */
  public Iterable<Session> draining() {
    return draining;
  }

  boolean hasDraining() {
    return !draining.isEmpty();
  }

  /** The sessions whose holder can get a message now, in order of turns. */
  public Iterable<Session> ready(DeliveryBudgetLevel room) {
    return switch (room) {
      case AMPLE -> ready;
      case SCARCE -> light;
      case NONE -> List.of();
    };
  }

  /** The session whose turn it is to get messages; null when there is none. */
  public @Nullable Session firstReady(DeliveryBudgetLevel room) {
    Iterator<Session> first = ready(room).iterator();
    return first.hasNext() ? first.next() : null;
  }
}
