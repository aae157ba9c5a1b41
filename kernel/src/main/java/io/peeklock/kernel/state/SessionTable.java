package io.peeklock.kernel.state;

import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.DeadlineHeap;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.PartedMap;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Ticket;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The message sessions of one queue. Messages name theirs by a slot. */
public final class SessionTable {

  /** How many sessions of a queue can have a state (S-257). */
  public static final int MOST_STATES = 1_000_000;

  private final HeldMemory memory;
  private final PartedMap<String, Session> byId = new PartedMap<>();
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

  /** One who waits for any session (S-239). */
  public record Acceptor(Origin origin, Ticket ticket, ReceiveMode mode, long deadlineMillis) {}

  /** An empty one, whose sessions count in this memory. */
  SessionTable(HeldMemory memory) {
    this.memory = memory;
  }

  // ---- sessions

  public @Nullable Session byId(String id) {
    return byId.get(id);
  }

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

  /** How many have a state. */
  public int states() {
    return states;
  }

  /** All that it knows of. */
  public Iterable<Session> all() {
    return byId.values();
  }

  /** Bytes of all states, which fill the queue too (S-256). */
  public long stateBytes() {
    return stateBytes;
  }

  /** Whether so many more sessions can have a state. */
  public boolean hasRoomForStates(int more) {
    return states <= MOST_STATES - more;
  }

  private Session known(String id) {
    Session known = byId.get(id);
    if (known != null) {
      return known;
    }
    int slot = freeSlots.isEmpty() ? usedSlots++ : (int) freeSlots.removeLast();
    if (slot >= slots.length) {
      slots = Arrays.copyOf(slots, slots.length * 2);
    }
    Session session = new Session(id, slot);
    session.snapshot = snapshot;
    slots[slot] = session;
    byId.put(id, session);
    memory.sessionCame(id.length());
    return session;
  }

  private void tidy(Session session) {
    if (session.isOver()) {
      byId.remove(session.id);
      slots[session.slot] = null;
      freeSlots.add(session.slot);
      memory.sessionLeft(session.id.length());
    }
  }

  // ---- messages

  /** A message of this session came; the slot that it names it by. */
  public int arrived(String id) {
    Session session = known(id);
    session.messages++;
    return session.slot;
  }

  /** Whether dispatch has something to do for its sessions. */
  boolean wantsDispatch() {
    return wantsNoRoom() || turns.firstReady(DeliveryBudgetLevel.AMPLE) != null;
  }

  /** Whether dispatch has something to do that takes no room: to offer sessions, to end drains. */
  boolean wantsNoRoom() {
    return (hasAcceptors() && turns.hasOffers()) || turns.hasDrained();
  }

  /** Another one of the same session, by its slot. */
  public void arrived(int slot) {
    bySlot(slot).messages++;
  }

  /** A message is gone, after it became unavailable. */
  void left(int slot) {
    Session session = bySlot(slot);
    session.messages--;
    tidy(session);
  }

  /** A message came, or is in another state now. */
  void enters(Chunk chunk, int row) {
    Session session = bySlot(chunk.sessionSlot(row));
    session.lineOf(chunk, row).add(chunk.number(row));
    turns.reconsider(session);
  }

  /** A message is about to go, or to be in another state. */
  void leaves(Chunk chunk, int row) {
    Session session = bySlot(chunk.sessionSlot(row));
    session.lineOf(chunk, row).remove(chunk.number(row));
    if (session.isEnding && session.locked.isEmpty()) {
      session.isEnding = false;
      ending.remove(session);
    }
    turns.reconsider(session);
  }

  /** A message waits for its time. */
  void scheduled(int slot, long number) {
    bySlot(slot).aside.add(number);
  }

  /** A message waits for its time no longer. */
  void unscheduled(int slot, long number) {
    bySlot(slot).aside.remove(number);
  }

  /** What a receiver asks for changed. */
  public void demandChanged(Receiver receiver) {
    if (receiver.session != null) {
      turns.reconsider(receiver.session);
    }
  }

  // ---- state

  /** Sets or, with 0, clears a state; the body of the one before, 0 for none. */
  public long setState(String id, long bodyId, int bytes, long setAtMillis) {
    Session session = known(id);
    long before = session.stateBodyId;
    stateBytes += bytes - session.stateBytes;
    states += (bodyId == 0 ? 0 : 1) - (before == 0 ? 0 : 1);
    session.stateBodyId = bodyId;
    session.stateBytes = bytes;
    session.stateSetAtMillis = setAtMillis;
    tidy(session);
    return before;
  }

  // ---- locks

  /** A receiver gets a session. */
  public void lock(String id, Receiver holder, long deadlineMillis) {
    Session session = known(id);
    Invariant.check(session.holder == null, "a session has one holder");
    session.holder = holder;
    holder.session = session;
    session.deadlineMillis = deadlineMillis;
    held.add(session.slot);
    turns.reconsider(session);
  }

  /** Moves the end of the lock of a session that has a holder. */
  public void extend(Session session, long deadlineMillis) {
    Invariant.check(session.holder != null, "only a session that is held is extended");
    session.deadlineMillis = deadlineMillis;
    held.changed(session.heldAt);
  }

  /** A session is free again. */
  public void unlock(Session session) {
    Receiver holder = session.holder;
    if (holder != null) {
      holder.session = null;
      held.remove(session.heldAt);
    }
    session.holder = null;
    turns.reconsider(session);
    tidy(session);
  }

  /** Nobody may have a session again before the last of its messages is free. */
  public void endsLater(Session session, boolean counted) {
    session.isEnding = true;
    session.endsCounted = counted;
    ending.add(session);
    turns.reconsider(session);
  }

  /** The session of whose messages some are to be freed; null when there is none. */
  public @Nullable Session firstEnding() {
    return ending.isEmpty() ? null : ending.iterator().next();
  }

  /** How many have a holder. */
  public int locked() {
    return held.size();
  }

  /** The session whose lock ends first; null when none is locked. */
  public @Nullable Session firstToLapse() {
    return held.size() == 0 ? null : bySlot(held.at(0));
  }

  // ---- who waits

  /** Who is next. */
  public SessionTurns turns() {
    return turns;
  }

  public Acceptors acceptors() {
    return acceptors;
  }

  public boolean hasAcceptors() {
    return !acceptors.isEmpty();
  }

  /** When the first session lock ends, or has more to end, or the first has waited enough. */
  public long firstDeadline() {
    if (!ending.isEmpty()) {
      return Long.MIN_VALUE;
    }
    Session first = firstToLapse();
    long lapse = first == null ? Long.MAX_VALUE : first.deadlineMillis;
    return Math.min(lapse, acceptors.firstDeadline());
  }
}
