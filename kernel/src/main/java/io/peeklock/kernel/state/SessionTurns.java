package io.peeklock.kernel.state;

import io.peeklock.kernel.columns.SortedLongs;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which sessions of a queue may be accepted by whoever takes any, the one whose message waits
 * longest first (S-242, Q-4), and which have a holder that can be given a message, in turns.
 */
public final class SessionTurns {

  private final TreeMap<Long, Session> offered = new TreeMap<>();
  private final Set<Session> ready = new LinkedHashSet<>();

  /** Of these, those with a holder that can be given one where room is scarce. */
  private final Set<Session> light = new LinkedHashSet<>();

  /** Those with a holder whose drain is over. */
  private final Set<Session> drained = new LinkedHashSet<>();

  /** Those with a holder whose drain goes on, as it can be given a message. */
  private final Set<Session> draining = new LinkedHashSet<>();

  /** Puts a session where it belongs, after something of it or of its holder changed. */
  void reconsider(Session session) {
    long offer = session.isTaken() ? SortedLongs.NONE : session.available.first();
    if (offer != session.offeredAs) {
      if (session.offeredAs != SortedLongs.NONE) {
        offered.remove(session.offeredAs);
      }
      session.offeredAs = offer;
      if (offer != SortedLongs.NONE) {
        offered.put(offer, session);
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

  /** A session had its turn: others that are ready come first. */
  public void hadItsTurn(Session session) {
    if (ready.remove(session)) {
      ready.add(session);
    }
    if (light.remove(session)) {
      light.add(session);
    }
  }

  /** Those that may be accepted, the one whose message waits longest first. */
  public Iterable<Session> offered() {
    return offered.values();
  }

  public boolean hasOffers() {
    return !offered.isEmpty();
  }

  /** Those whose holder's drain is to be ended. */
  public Iterable<Session> drained() {
    return drained;
  }

  boolean hasDrained() {
    return !drained.isEmpty();
  }

  /** Those whose holder's drain goes on, and is to be ended where nothing can be given. */
  public Iterable<Session> draining() {
    return draining;
  }

  boolean hasDraining() {
    return !draining.isEmpty();
  }

  /** Those whose holder can be given a message now, the one whose turn it is first. */
  public Iterable<Session> ready(DeliveryBudgetLevel room) {
    return switch (room) {
      case AMPLE -> ready;
      case SCARCE -> light;
      case NONE -> List.of();
    };
  }

  /** The session whose turn it is to be delivered; null when none can be. */
  public @Nullable Session firstReady(DeliveryBudgetLevel room) {
    Iterator<Session> first = ready(room).iterator();
    return first.hasNext() ? first.next() : null;
  }
}
