package io.peeklock.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ChunkDirectory;
import io.peeklock.kernel.columns.HeldMemory;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.columns.SortedLongs;
import io.peeklock.kernel.columns.StoredMemory;
import io.peeklock.kernel.grant.Grant.Due;
import io.peeklock.kernel.send.TransferQueues;
import io.peeklock.kernel.state.DeliveryBudgetLevel;
import io.peeklock.kernel.state.EntityWeight;
import io.peeklock.kernel.state.ForwardingQueues;
import io.peeklock.kernel.state.LockTable;
import io.peeklock.kernel.state.LocksInOrder;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.NextDelivery;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.ReadyQueues;
import io.peeklock.kernel.state.Receiver;
import io.peeklock.kernel.state.Receiver.Lot;
import io.peeklock.kernel.state.Session;
import io.peeklock.kernel.state.SessionTable;
import io.peeklock.kernel.state.SubscriptionState;
import io.peeklock.kernel.state.TimeBounds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must hold in every machine at every time; the numbers are those of the invariants that
 * semantics.md ends with. It remembers what it saw, to tell what may only grow.
 */
public final class MachineChecker {

  private final TreeMap<Integer, Integer> maxima = new TreeMap<>();
  private final TreeMap<Integer, Long> nextNumbers = new TreeMap<>();
  private final TreeMap<Integer, TreeMap<Long, Integer>> counts = new TreeMap<>();

  private final int maxLocks;

  public MachineChecker() {
    this(1 << 24);
  }

  /** For machines in which there may be so many locks. */
  public MachineChecker(int maxLocks) {
    this.maxLocks = maxLocks;
  }

  public void check(Machine machine) {
    MachineState state = machine.state();
    int held = 0;
    boolean wantsDispatch = false;
    boolean wantsForward = false;
    for (QueueState queue : state.created()) {
      check(state, queue);
      check(state, queue.deadLetters());
      checkMessagesAreInOnePlace(queue);
      checkCounts(queue);
      checkNumbers(queue);
      held += queue.locks().count() + queue.deadLetters().locks().count();
      wantsForward |=
          ForwardingQueues.wantsForward(queue)
              || ForwardingQueues.wantsForward(queue.deadLetters());
      wantsDispatch |= canGoOn(state, queue) || canGoOn(state, queue.deadLetters());
    }
    for (QueueState queue : state.deleted()) {
      check(state, queue);
      check(state, queue.deadLetters());
      held += queue.locks().count() + queue.deadLetters().locks().count();
      assertThat(queue.wantsDispatch()).isFalse();
      assertThat(queue.needsRoom).isNull();
      assertThat(queue.deadLetters().needsRoom).isNull();
      assertThat(queue.isEmptied()).isFalse();
      assertThat(state.queue(queue.id())).isNull();
    }
    checkSharedBodies(state);
    checkRoom(state);
    checkMemory(state);
    assertThat(state.locks.room())
        .isEqualTo((int) Math.min(maxLocks, state.stored.mostLocks()) - held);
    assertThat(machine.wantsForward()).isEqualTo(wantsForward && state.emptyings.isEmpty());
    assertThat(machine.wantsDispatch()).isEqualTo(wantsDispatch);
  }

  private static void checkRoom(MachineState state) {
    long sum = 0;
    int starved = 0;
    for (QueueState queue : state.created()) {
      for (QueueState each : new QueueState[] {queue, queue.deadLetters()}) {
        long ofQueue = 0;
        for (Receiver receiver : each.receivers) {
          ofQueue += Math.min(receiver.unsentBytes, 2 * Receiver.BUDGET_BYTES);
        }
        assertThat(each.underWay).as("what is under way of one queue").isEqualTo(ofQueue);
        sum += ofQueue;
        starved += each.isStarved ? 1 : 0;
      }
    }
    assertThat(state.room.starved()).as("who waits with nothing").isEqualTo(starved);
    assertThat(state.room.taken()).as("what is under way adds up").isEqualTo(sum);
  }

  private static void checkMemory(MachineState state) {
    StoredMemory counted = new StoredMemory();
    List<QueueState> all = new ArrayList<>(state.created());
    all.addAll(state.deleted());
    Map<HeldMemory, HeldMemory> each = new LinkedHashMap<>();
    for (QueueState queue : all) {
      count(state, queue, each.computeIfAbsent(queue.held, held -> new HeldMemory(counted)));
    }
    each.forEach(
        (held, sum) -> {
          assertThat(held.bytes()).as("what an entity holds adds up").isEqualTo(sum.bytes());
          assertThat(held.overlays()).as("changed properties").isEqualTo(sum.overlays());
          assertThat(held.overlayBytes()).isEqualTo(sum.overlayBytes());
        });
    assertThat(state.stored.held()).as("and all of them").isEqualTo(counted.held());
    assertThat(state.stored.staying()).as("and what stays").isEqualTo(counted.staying());
    for (int i = 0; i < state.overlays.pages(); i++) {
      counted.overlayPageCame();
    }
    long entities = 0;
    for (QueueState queue : all) {
      entities += EntityWeight.of(queue.definition());
    }
    counted.entitiesChanged(entities);
    assertThat(state.stored.entities()).as("what entities take adds up").isEqualTo(entities);
    long rules = 0;
    for (QueueState queue : state.created()) {
      rules += queue.topic() == null ? 0 : queue.topic().rules().heapBytes();
    }
    assertThat(state.stored.rules()).as("what rules take adds up").isEqualTo(rules);
    assertThat(state.stored.taken()).as("what is stored adds up").isEqualTo(counted.taken());
  }

  private static void count(MachineState state, QueueState queue, HeldMemory into) {
    assertThat(queue.deadLetters().held).isSameAs(queue.held);
    count(state, queue.messages().chunks(), into);
    count(state, queue.scheduled().chunks(), into);
    count(state, queue.deadLetters().messages().chunks(), into);
    if (queue.sessions() != null) {
      queue.sessions().all().forEach(each -> into.sessionCame(each.characters()));
    }
    into.idsChanged(queue.rememberedIds() == null ? 0 : queue.rememberedIds().slots());
    into.idsChanged(queue.waitingIds() == null ? 0 : queue.waitingIds().slots());
    for (SubscriptionState each : subscriptions(queue)) {
      assertThat(each.queue().held).as("a topic's").isSameAs(queue.held);
    }
    for (QueueState transfers : queue.transfers) {
      assertThat(transfers.held).as("what goes via it").isSameAs(queue.held);
    }
  }

  private static List<SubscriptionState> subscriptions(QueueState queue) {
    return queue.topic() == null ? List.of() : queue.topic().subscriptions();
  }

  private static void count(MachineState state, ChunkDirectory chunks, HeldMemory into) {
    for (int i = 0; i < chunks.size(); i++) {
      Chunk chunk = chunks.chunk(i);
      into.chunkCame(chunk.capacity());
      for (int row = 0; row < chunk.rows(); row++) {
        int slot = chunk.isPresent(row) ? chunk.overlaySlot(row) : 0;
        if (slot != 0) {
          into.overlayCame(state.overlays.bytes(slot));
        }
      }
    }
  }

  private static boolean canGoOn(MachineState state, QueueState queue) {
    boolean hasLocks = state.locks.roomFor(queue.locks()) > 0;
    boolean hasRoom = state.room.isFor(queue);
    DeliveryBudgetLevel needs = needsWith(queue, hasLocks, hasRoom);
    boolean stale = // others took or left locks or room
        queue.needsRoom == needsWith(queue, !hasLocks, hasRoom)
            || queue.needsRoom == needsWith(queue, hasLocks, !hasRoom)
            || queue.needsRoom == needsWith(queue, !hasLocks, !hasRoom);
    assertThat(stale || queue.needsRoom == needs).as("it stands where it can go on").isTrue();
    boolean hasAll =
        needs != DeliveryBudgetLevel.NONE
            && ((!hasLocks && (queue.sessions() != null || !queue.demand().isServableWithoutLock()))
                || !hasRoom);
    return needs != null && !hasAll && needs.compareTo(state.room.level()) <= 0;
  }

  private static @Nullable DeliveryBudgetLevel needsWith(
      QueueState queue, boolean hasLocks, boolean hasRoom) {
    if (!queue.wantsDispatch()) {
      return null;
    }
    return !hasRoom && ReadyQueues.hasDrains(queue)
        ? DeliveryBudgetLevel.NONE
        : NextDelivery.needs(queue, hasLocks);
  }

  /** Messages with the same slot have the same body, and the slot knows how many they are. */
  private static void checkSharedBodies(MachineState state) {
    TreeMap<Integer, Integer> rows = new TreeMap<>();
    TreeMap<Integer, Long> bodies = new TreeMap<>();
    TreeMap<Long, Integer> slots = new TreeMap<>();
    List<QueueState> all = new ArrayList<>(state.created());
    all.addAll(state.deleted());
    for (QueueState queue : all) {
      for (QueueState each : new QueueState[] {queue, queue.deadLetters()}) {
        MessageIndex messages = each.messages();
        for (long place = messages.firstFrom(0);
            place != Place.NONE;
            place = messages.next(place)) {
          Chunk chunk = messages.chunk(place);
          int row = Place.row(place);
          int slot = chunk.sharedSlot(row);
          Integer other = slots.putIfAbsent(chunk.bodyId(row), slot);
          assertThat(other == null || (other == slot && slot != 0))
              .as("one body, one slot")
              .isTrue();
          if (slot != 0) {
            rows.merge(slot, 1, Integer::sum);
            assertThat(bodies.merge(slot, chunk.bodyId(row), (a, b) -> b))
                .isEqualTo(chunk.bodyId(row));
          }
        }
      }
    }
    rows.forEach((slot, count) -> assertThat(state.shared.messages(slot)).isEqualTo(count));
  }

  /** Another machine may have other locks; what is durable may still only grow. */
  void forgetLocks() {
    counts.clear();
  }

  private static void check(MachineState state, QueueState queue) {
    ChunkDirectory chunks = queue.messages().chunks();
    long active = 0;
    long deferred = 0;
    long bytes = 0;
    long available = 0;
    long locked = 0;
    long first = Long.MAX_VALUE;
    long previous = 0;
    for (int i = 0; i < chunks.size(); i++) {
      Chunk chunk = chunks.chunk(i);
      int live = 0;
      int availableHere = 0;
      assertThat(i == 0 || chunks.firstNumber(i - 1) < chunks.firstNumber(i)).isTrue();
      for (int row = 0; row < chunk.rows(); row++) {
        long number = chunk.number(row);
        assertThat(number).as("chunks are sorted").isGreaterThan(previous);
        previous = number;
        if (!chunk.isPresent(row)) {
          continue;
        }
        assertThat(number).isGreaterThanOrEqualTo(chunks.firstNumber(i));
        live++;
        bytes += chunk.size(row) + state.overlays.bytes(chunk.overlaySlot(row));
        deferred += chunk.isDeferred(row) ? 1 : 0;
        active += chunk.isDeferred(row) ? 0 : 1;
        if (chunk.isAvailable(row)) {
          availableHere++;
          first = Math.min(first, number);
          assertThat(
                  queue.isDeadLetterQueue()
                      || TransferQueues.isBacklog(queue)
                      || chunks.expiryBound(i) <= chunk.expiresAtMillis(row))
              .as("a bound is a bound")
              .isTrue();
        }
        if (chunk.lockSlot(row) != 0) {
          locked++;
          assertThat(state.locks.number(chunk.lockSlot(row) - 1)).isEqualTo(number);
        }
      }
      assertThat(chunk.live()).isEqualTo(live);
      assertThat(chunk.live() > 0 || i == chunks.size() - 1).as("no empty chunk").isTrue();
      assertThat(chunks.available(i)).isEqualTo(availableHere);
      assertThat(
              queue.isDeadLetterQueue()
                  || queue.messages().readyIndex().expiryBound() <= chunks.expiryBound(i))
          .isTrue();
      available += availableHere;
    }
    assertThat(queue.messages().active()).isEqualTo(active);
    assertThat(queue.messages().deferred()).isEqualTo(deferred);
    assertThat(queue.messages().bytes()).isEqualTo(bytes);
    assertThat(queue.messages().available()).isEqualTo(available);
    long place = queue.messages().firstAvailable();
    assertThat(place == Place.NONE ? Long.MAX_VALUE : queue.messages().number(place))
        .as("the first available message is known")
        .isEqualTo(first);
    assertThat(locked).as("2: one lock, one message").isEqualTo(queue.locks().count());
    checkLocks(state, queue);
    checkDemand(queue);
    checkSessions(queue);
  }

  /** 2: at most one valid token exists per message. */
  private static void checkLocks(MachineState state, QueueState queue) {
    LockTable locks = state.locks;
    TreeSet<Long> numbers = new TreeSet<>();
    long deadline = Long.MIN_VALUE;
    LocksInOrder walk = new LocksInOrder(locks, queue.locks());
    for (int slot = walk.next(); slot != LockTable.NONE; slot = walk.next()) {
      assertThat(numbers.add(locks.number(slot))).isTrue();
      assertThat(locks.deadline(slot)).isGreaterThanOrEqualTo(deadline);
      deadline = locks.deadline(slot);
      long place = queue.messages().find(locks.number(slot));
      assertThat(place).as("a locked message is there").isNotEqualTo(Place.NONE);
      Chunk chunk = queue.messages().chunk(place);
      assertThat(chunk.lockSlot(Place.row(place))).isEqualTo(slot + 1);
    }
    assertThat(numbers).hasSize(queue.locks().count() - queue.locks().enlisted());
    if (!queue.isDeleted()) {
      TimeBounds bounds = state.bounds;
      assertThat(bounds.of(Due.LAPSES).first())
          .isLessThanOrEqualTo(locks.firstDeadline(queue.locks()));
      assertThat(bounds.of(Due.EXPIRIES).first())
          .isLessThanOrEqualTo(queue.messages().readyIndex().expiryBound());
      assertThat(Stream.of(Due.SCHEDULES, Due.READ_COPIES, Due.COPIES).map(bounds::of))
          .as("one of them has it")
          .anyMatch(order -> order.first() <= queue.dueBound());
      assertThat(bounds.idles().first()).isLessThanOrEqualTo(queue.idleBound());
    }
  }

  private static void checkDemand(QueueState queue) {
    boolean servable = false;
    boolean light = false;
    TreeMap<Integer, Long> inLots = new TreeMap<>();
    for (Lot lot = queue.demand().first(); lot != null; lot = lot.after) {
      assertThat(lot.count).isPositive();
      assertThat(lot.receiver.lots).contains(lot);
      inLots.merge(System.identityHashCode(lot.receiver), lot.count, Long::sum);
      servable |= lot.receiver.isServable();
      light |= lot.receiver.isServableLightly();
    }
    for (Lot lot = queue.demand().first(); lot != null; lot = lot.after) {
      assertThat(inLots.get(System.identityHashCode(lot.receiver)))
          .as("lots add up to the demand")
          .isEqualTo(lot.receiver.demand());
    }
    assertThat(queue.demand().isServable()).isEqualTo(servable);
    assertThat(queue.demand().isServableLightly()).isEqualTo(light);
  }

  /** A session knows the numbers of its messages, and in which state each is. */
  private static void checkSessions(QueueState queue) {
    SessionTable sessions = queue.sessions();
    if (sessions == null) {
      return;
    }
    Set<Long> seen = new TreeSet<>();
    MessageIndex messages = queue.messages();
    for (Session session : sessions.all()) {
      int before = seen.size();
      for (long n = session.from(0); n != SortedLongs.NONE; n = session.from(n + 1)) {
        assertThat(seen.add(n)).as("a message is of one session").isTrue();
        long place = messages.find(n);
        boolean scheduled = place == Place.NONE;
        long later = scheduled ? queue.scheduled().find(n) : Place.NONE;
        Chunk chunk = scheduled ? queue.scheduled().chunk(later) : messages.chunk(place);
        int row = Place.row(scheduled ? later : place);
        assertThat(sessions.bySlot(chunk.sessionSlot(row))).isSameAs(session);
        SortedLongs line = scheduled ? session.aside : session.lineOf(chunk, row);
        assertThat(line.from(n)).as("in the line of its state").isEqualTo(n);
      }
      assertThat(seen.size() - before).as("each is counted").isEqualTo((int) session.messages);
      assertThat(queue.isDeleted() || session.isEnding == isEnding(sessions, session)).isTrue();
      int inLines = session.available.size() + session.locked.size() + session.aside.size();
      assertThat(inLines).isEqualTo((int) session.messages);
    }
    assertThat((long) seen.size())
        .as("every message is of a session")
        .isEqualTo(messages.active() + messages.deferred() + queue.scheduled().count());
  }

  /** What has no holder and locked messages is on its way to be free, and nothing else. */
  private static boolean isEnding(SessionTable sessions, Session session) {
    boolean ending = session.holder == null && !session.locked.isEmpty();
    assertThat(!ending || sessions.firstEnding() != null).isTrue();
    return ending;
  }

  /** 1: each message is in exactly one place. */
  private static void checkMessagesAreInOnePlace(QueueState queue) {
    MessageIndex dead = queue.deadLetters().messages();
    for (long place = dead.firstFrom(0); place != Place.NONE; place = dead.next(place)) {
      assertThat(queue.messages().find(dead.number(place))).isEqualTo(Place.NONE);
    }
  }

  /** 5: counts never fall. 6: a message that can be received is below the maximum. */
  private void checkCounts(QueueState queue) {
    TreeMap<Long, Integer> seen =
        counts.computeIfAbsent(queue.id().number(), id -> new TreeMap<>());
    int highest =
        maxima.merge(queue.id().number(), queue.definition().maxDeliveryCount(), Math::max);
    MessageIndex messages = queue.messages();
    for (long place = messages.firstFrom(0); place != Place.NONE; place = messages.next(place)) {
      int count = messages.chunk(place).deliveryCount(Place.row(place));
      Integer before = seen.put(messages.number(place), count);
      assertThat(count).isGreaterThanOrEqualTo(before == null ? 0 : before);
      assertThat(count).isLessThan(highest); // a maximum lowered later bites at the next end
    }
  }

  /** 9: numbers never repeat and never fall. */
  private void checkNumbers(QueueState queue) {
    Long before = nextNumbers.put(queue.id().number(), queue.nextSequenceNumber());
    assertThat(queue.nextSequenceNumber()).isGreaterThanOrEqualTo(before == null ? 1 : before);
  }
}
