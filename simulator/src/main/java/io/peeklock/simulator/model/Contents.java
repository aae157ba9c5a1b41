package io.peeklock.simulator.model;

import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.Operation.Mode;
import io.peeklock.simulator.history.Properties;
import io.peeklock.simulator.history.SentMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What may be stored where, and who receives. */
final class Contents {
  /** A message takes less of a bound memory, with its chunk, lock, session and remembered id. */
  private static final long MOST_ROW_BYTES = 1_000;

  private static final String FORWARDED = "forwarded from what is not judged";

  final Map<String, Entity> entities = new TreeMap<>();
  final Map<String, Receiver> receivers = new TreeMap<>();
  final Unknown unknown = new Unknown();
  final Verdicts verdicts = new Verdicts();

  /** What has no answer yet. */
  final TreeMap<Long, Operation> asked = new TreeMap<>();

  /** Where messages may come to that were sent to an entity of this name before. */
  final Set<String> late = new TreeSet<>();

  final Course course = new Course(entities, unknown, this::mayBeFull, this::isMemoryShort);
  private final Map<String, List<Copy>> byTag = new HashMap<>();
  private final Map<Long, Copy> locks = new HashMap<>();
  private List<Copy> live = new ArrayList<>();
  private long arrivals;

  /** For all bodies. */
  long memory = Long.MAX_VALUE;

  /** For messages without their bodies. */
  long messageMemory = Long.MAX_VALUE;

  /** The next place in the order of arrivals. */
  long arrival() {
    return ++arrivals;
  }

  /**
   * The entity of a path, or of a dead-letter queue, that is judged; null when it is not, or none.
   */
  @Nullable Entity judged(String path) {
    return unknown.has(path) ? null : entities.get(State.entity(path));
  }

  /** A copy of a message, be it a subscription's, that may be in these states. */
  Copy add(SentMessage message, Stream<State> states) {
    var copy = new Copy(message, states, verdicts);
    live.add(copy);
    byTag.computeIfAbsent(message.tag(), tag -> new ArrayList<>()).add(copy);
    return copy;
  }

  /** Copies that were made of the message of this tag. */
  List<Copy> copies(String tag) {
    return byTag.getOrDefault(tag, new ArrayList<>());
  }

  /** Copies that may be somewhere. */
  List<Copy> live() {
    return live;
  }

  Stream<Copy> possibly(Predicate<State> what) {
    return live.stream().filter(copy -> copy.possibly(what));
  }

  Stream<Copy> surely(Predicate<State> what) {
    return live.stream().filter(copy -> copy.surely(what));
  }

  /** Whose lock this is, or was; null for nobody's that is judged. */
  @Nullable Copy holderOf(long lock) {
    return locks.get(lock);
  }

  /** Whether nobody had this lock before. */
  boolean isNew(long lock, Copy of) {
    return locks.putIfAbsent(lock, of) == null;
  }

  /** Time has come to now. */
  void advance(Moment now) {
    for (var copy : live) {
      course.advance(copy, now);
    }
  }

  /** Whether an entity may have no room for a message. */
  private boolean mayBeFull(Entity entity, SentMessage message) {
    return mayBeFull(entity, message.bytes());
  }

  /** Whether what is to be forwarded or copied may wait, as there is little memory. */
  private boolean isMemoryShort() {
    return live.size() * MOST_ROW_BYTES > messageMemory || isBodyMemoryShort();
  }

  private boolean isBodyMemoryShort() {
    return memory < Long.MAX_VALUE
        && live.stream().mapToLong(copy -> copy.sent.bytes()).sum()
            > memory / 8; // dead bodies keep their blocks
  }

  /** Whether an entity may have no room for so much more. */
  boolean mayBeFull(Entity entity, long bytes) {
    var most = entity.properties.maxBytes();
    return most < State.FOREVER
        && (mostBytes(entity.path) + bytes > most || unknown.hasWithin(entity.path));
  }

  /** What an entity may hold at most, in bytes: what is larger counts more often (S-434). */
  private long mostBytes(String path) {
    return possibly(state -> State.isWithin(state.place, path))
            .mapToLong(copy -> copy.sent.bytes() * (copy.sent.bytes() > 1_000_000 ? 9L : 1) + 100)
            .sum()
        + entities.values().stream()
            .filter(each -> State.isWithin(each.path, path))
            .mapToLong(Entity::mostStateBytes)
            .sum();
  }

  /** What an entity holds at least, with its dead letters and subscriptions (S-056, S-187). */
  long leastBytes(String path) {
    return surely(state -> State.isWithin(state.place, path))
        .mapToLong(copy -> copy.sent.bytes())
        .sum();
  }

  /**
   * How long a message may live that comes to an entity: what is open may come after updates that
   * have no answer yet.
   */
  LongStream timesToLive(Entity entity, SentMessage message, Moment when) {
    var updates =
        asked.values().stream()
            .filter(Operation.Update.class::isInstance)
            .map(Operation.Update.class::cast)
            .filter(update -> when.isOpen() && update.path().equals(entity.path))
            .map(Operation.Update::properties);
    return Stream.concat(Stream.of(entity.properties), updates)
        .mapToLong(each -> Math.min(message.timeToLiveMillis(), Entity.timeToLive(each)))
        .distinct();
  }

  /** Drops from the list what is certainly gone. */
  void sweep() {
    live.removeIf(copy -> copy.surely(State::isGone));
  }

  /** Something that the model does not know touches an entity: it is judged no more. */
  void stopJudging(String path, String why) {
    var entity = State.entity(path);
    if (!unknown.add(entity, why)) {
      return;
    }
    var touched = possibly(state -> State.isWithin(state.entity(), entity)).toList();
    for (var copy : touched) {
      copies(copy.sent.tag()).remove(copy);
    }
    live.removeAll(touched);
    locks.values().removeAll(touched);
    touched.stream()
        .flatMap(copy -> copy.states().stream())
        .filter(state -> !state.isGone())
        .forEach(state -> stopJudging(state.place, FORWARDED));
    spread(entity);
  }

  /** Some entity is new or otherwise: where messages go now. */
  void stopJudgingTangles() {
    for (var entity : List.copyOf(entities.values())) {
      if (course.forwarding.isTangled(entity.path)) {
        stopJudging(entity.path, "circles of topics or dead letters");
      }
      if (unknown.has(entity.path)) {
        spread(entity.path);
      }
    }
  }

  /** What moves on from what is not judged is not judged there. */
  private void spread(String path) {
    for (var entity : List.copyOf(entities.values())) {
      if (State.isWithin(entity.path, path) && unknown.has(entity.path)) {
        spread(entity.properties);
      }
    }
  }

  /** The same of what is not judged, and has these properties. */
  void spread(Properties from) {
    Stream.of(from.forwardTo(), from.forwardDeadLettersTo())
        .filter(Objects::nonNull)
        .forEach(to -> stopJudging(to, FORWARDED));
  }

  /** It is no more, with all that is in it (S-071). */
  void delete(String path) {
    unknown.forget(path);
    empty(path);
  }

  /** Nothing is in it, and all that is said of it is void. */
  void empty(String path) {
    entities.keySet().removeIf(each -> State.isWithin(each, path));
    for (var copy : live) {
      copy.become(state -> Stream.of(State.isWithin(state.place, path) ? state.gone() : state));
    }
    sweep();
  }

  /** S-022, S-116, R-27: locks end uncounted, and what was on its way to be deleted is lost. */
  void restarted(Moment now) {
    for (var receiver : receivers.values()) {
      if (receiver.mode == Mode.RECEIVE_AND_DELETE && receiver.credit > 0) {
        possibly(state -> state.isIn(receiver.path))
            .filter(copy -> copy.possibly(State::isAvailable))
            .forEach(copy -> copy.mayBecome(state -> Stream.of(state.gone())));
      }
    }
    receivers.clear();
    entities.values().forEach(Entity::freeSessions);
    locks.clear();
    for (var copy : live) {
      copy.become( // what had expired under its lock is taken away some time
          state ->
              state.lock == null
                  ? Stream.of(state)
                  : Stream.concat(Stream.of(state.locked(null)), course.ended(state, false, now)));
    }
  }

  /** S-046, S-088: a lock lasts as long as its entity says, from when it is taken. */
  void checkLock(long until, Entity entity, Moment from, Moment now) {
    var lasts = entity.properties.lockMillis();
    var earliest = Math.min(from.earliest(), now.earliest()); // clocks may be less sure by now
    var fits = earliest + lasts <= until && until <= now.latest() + lasts;
    verdicts.demand("S-088", fits, "a lock until ", until, " at ", now, ", where one is ", lasts);
  }
}
