package io.peeklock.kernel.state;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.DeadlineHeap;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.PartedMap;
import io.peeklock.kernel.entity.SessionIds;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.SharedSession;
import io.peeklock.kernel.request.Ticket;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The message sessions of one queue. Messages refer to theirs by a slot. */
public final class SessionTable {

  /** The most sessions of a queue that can have a state (S-257). */
  public static final int MOST_STATES = 1_000_000;

  private final HeldMemory memory;
  private final PartedMap<String, Session> byKey = new PartedMap<>();
  private @Nullable Session[] slots = new Session[16]; // slot 0 stands for no session
  private final LongList freeSlots = new LongList();
  private int usedSlots = 1;
  private long stateBytes;
  private int states;
  public int snapshot;

  private final SessionTurns turns = new SessionTurns();
  private final Set<Session> ending = new LinkedHashSet<>();
  private final Acceptors acceptors = new Acceptors();
  private final DeadlineHeap held =
      new DeadlineHeap(
          new DeadlineHeap.Slots() {
            @Override
            public long deadline(int slot) {
              return bySlot(slot).deadlineMillis;
            }

            @Override
            public void moved(int slot, int place) {
              bySlot(slot).heldAt = place;
            }
          });

  /** A receiver that waits for any session (S-239). */
  public record Acceptor(
      Origin origin,
      Ticket ticket,
      ReceiveMode mode,
      long deadlineMillis,
      SharedSession.@Nullable Token token) {}

  /** An empty table, whose sessions are charged to this account. */
  SessionTable(HeldMemory memory) {
    this.memory = memory;
  }

  // ---- sessions

  /** The session with this id, in whatever spelling (S-523); null when there is none. */
  public @Nullable Session byId(String id) {
    return byKey.get(SessionIds.folded(id));
  }

  /** The session in a slot, which must exist. */
  public Session bySlot(int slot) {
    return Invariant.present(slots[slot], "a message of a session has one that is there");
  }

  /** The session in a slot, null for none; from 1 to {@link #slotsEnd}. */
  public @Nullable Session at(int slot) {
    return slots[slot];
  }

  public int slotsEnd() {
    return usedSlots;
  }

  /** The number of sessions with a state. */
  public int states() {
    return states;
  }

  /** All sessions. */
  public Iterable<Session> all() {
    return byKey.values();
  }

  /** The bytes of all states, which count towards the quota (S-256). */
  public long stateBytes() {
    return stateBytes;
  }

  /** Whether {@code more} sessions may get a state. */
  public boolean hasRoomForStates(int more) {
    return states <= MOST_STATES - more;
  }

  private Session known(String id) {
    String key = SessionIds.folded(id);
    Session known = byKey.get(key);
    if (known != null) {
      return known;
    }
    int slot = freeSlots.isEmpty() ? usedSlots++ : (int) freeSlots.removeLast();
    if (slot >= slots.length) {
      slots = Arrays.copyOf(slots, slots.length * 2);
    }
    Session session = new Session(key, id, slot);
    session.snapshot = snapshot;
    slots[slot] = session;
    byKey.put(key, session);
    memory.sessionCame(session.characters());
    return session;
  }

  /**
   * The same for what is durable: its spelling becomes the session's if nothing durable was there,
   * so that after a restart, when locks are forgotten, a session is spelled as before.
   */
  private Session knownDurably(String id) {
    Session session = known(id);
    if (session.messages == 0 && session.stateBodyId == 0 && !session.id.equals(id)) {
      memory.sessionLeft(session.characters());
      session.id = id;
      memory.sessionCame(session.characters());
    }
    return session;
  }

  private void tidy(Session session) {
    if (session.isOver()) {
      byKey.remove(session.key);
      slots[session.slot] = null;
      freeSlots.add(session.slot);
      memory.sessionLeft(session.characters());
    }
  }

  // ---- messages

  /** Notes a new message of a session, and returns the session's slot. */
  public int arrived(String id) {
    Session session = knownDurably(id);
    session.messages++;
    return session.slot;
  }

  /** Whether dispatch has something to do for its sessions. */
  boolean wantsDispatch() {
    return wantsNoRoom() || turns.firstReady(DeliveryBudgetLevel.AMPLE) != null;
  }

  /** Whether dispatch has work that needs no room: offering sessions, ending drains. */
  boolean wantsNoRoom() {
    return (hasAcceptors() && turns.hasOffers()) || turns.hasDrained();
  }

  /** Notes a new message of the session in a slot. */
  public void arrived(int slot) {
    bySlot(slot).messages++;
  }

  /** Notes that a message is gone, after {@link #leaves}. */
  void left(int slot) {
    Session session = bySlot(slot);
    session.messages--;
    tidy(session);
  }

  /** Notes a message after it came or changed its state. */
  void enters(Chunk chunk, int row) {
    Session session = bySlot(chunk.sessionSlot(row));
    session.lineOf(chunk, row).add(chunk.number(row));
    turns.reconsider(session);
  }

  /** Notes a message before it goes or changes its state. */
  void leaves(Chunk chunk, int row) {
    Session session = bySlot(chunk.sessionSlot(row));
    session.lineOf(chunk, row).remove(chunk.number(row));
    if (session.isEnding && session.locked.isEmpty()) {
      session.isEnding = false;
      ending.remove(session);
    }
    turns.reconsider(session);
  }

  /** Notes a scheduled message. */
  void scheduled(int slot, long number) {
    bySlot(slot).aside.add(number);
  }

  /** Notes that a message is no longer scheduled. */
  void unscheduled(int slot, long number) {
    bySlot(slot).aside.remove(number);
  }

  /** Updates the session of a receiver whose demand changed. */
  public void demandChanged(Receiver receiver) {
    if (receiver.session != null) {
      turns.reconsider(receiver.session);
    }
  }

  // ---- state

  /** Sets a state, or with body id 0 clears it, and returns the earlier body id, 0 for none. */
  public long setState(String id, long bodyId, int bytes, long setAtMillis) {
    Session session = knownDurably(id);
    long before = session.stateBodyId;
    stateBytes += bytes - session.stateBytes;
    states += (bodyId == 0 ? 0 : 1) - (before == 0 ? 0 : 1);
    session.stateBodyId = bodyId;
    session.stateBytes = bytes;
    session.stateSetAtMillis = setAtMillis;
    tidy(session);
    return before;
  }

  /**
   * Sets a state of before a restart. Where two were told apart by case alone, by a version that
   * did so, the one that was set last is kept.
   *
   * @return the body id of a state that is not kept, 0 for none
   */
  public long restoreState(String id, long bodyId, int bytes, long setAtMillis) {
    Session before = byId(id);
    return before != null && before.stateBodyId != 0 && before.stateSetAtMillis > setAtMillis
        ? bodyId
        : setState(id, bodyId, bytes, setAtMillis);
  }

  // ---- locks

  /**
   * Locks a session for a receiver. From the one that holds it, it can be taken by its token alone.
   */
  public void lock(
      String id, Receiver holder, long deadlineMillis, SharedSession.@Nullable Token token) {
    Session session = known(id);
    Receiver former = session.holder;
    Invariant.check(
        former == null || (token != null && token.equals(session.token)),
        "a session has one holder");
    session.holder = holder;
    session.token = token;
    holder.session = session;
    session.deadlineMillis = deadlineMillis;
    if (former == null) {
      held.add(session.slot);
    } else {
      former.session = null;
      held.changed(session.heldAt);
    }
    turns.reconsider(session);
  }

  /** Moves the deadline of a locked session. */
  public void extend(Session session, long deadlineMillis) {
    Invariant.check(session.holder != null, "only a session that is held is extended");
    session.deadlineMillis = deadlineMillis;
    held.changed(session.heldAt);
  }

  /** Frees a session. */
  public void unlock(Session session) {
    Receiver holder = session.holder;
    if (holder != null) {
      holder.session = null;
      held.remove(session.heldAt);
    }
    session.holder = null;
    session.token = null;
    turns.reconsider(session);
    tidy(session);
  }

  /**
   * Ends a session's lock slice by slice: nobody can lock it before the last of its messages is
   * free.
   */
  public void endsLater(Session session, boolean counted) {
    session.isEnding = true;
    session.endsCounted = counted;
    ending.add(session);
    turns.reconsider(session);
  }

  /** The first session that is ending; null when there is none. */
  public @Nullable Session firstEnding() {
    return ending.isEmpty() ? null : ending.iterator().next();
  }

  /** The number of locked sessions. */
  public int locked() {
    return held.size();
  }

  /** The session whose lock ends first; null when none is locked. */
  public @Nullable Session firstToLapse() {
    return held.size() == 0 ? null : bySlot(held.at(0));
  }

  // ---- waiting

  /** Which sessions are served next. */
  public SessionTurns turns() {
    return turns;
  }

  public Acceptors acceptors() {
    return acceptors;
  }

  public boolean hasAcceptors() {
    return !acceptors.isEmpty();
  }

  /**
   * When there is timed work: a session lock or an acceptor's wait ends, or a session is ending.
   */
  public long firstDeadline() {
    if (!ending.isEmpty()) {
      return Long.MIN_VALUE;
    }
    Session first = firstToLapse();
    long lapse = first == null ? Long.MAX_VALUE : first.deadlineMillis;
    return Math.min(lapse, acceptors.firstDeadline());
  }
}
