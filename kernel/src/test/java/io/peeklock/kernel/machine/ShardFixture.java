package io.peeklock.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.grant.Grant;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.snapshot.Snapshot;
import io.peeklock.kernel.state.TopicState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A shard's loop around a machine, with a clock that the test moves and a log in memory. After
 * every decision it checks that deciding changed nothing; after every test it runs the checkers and
 * replays the log.
 */
public class ShardFixture implements AfterEachCallback {

  /** Who asks, in tests. */
  public static final class Asker implements Origin {}

  /** Notes nothing. */
  public static final class Note implements Ticket {}

  /** Facts of one batch. */
  public record Logged(long index, Fact fact) {}

  public final MachineChecker checker = new MachineChecker();
  public final List<Logged> log = new ArrayList<>();
  public final List<Effect> effects = new ArrayList<>();
  private final Map<Origin, List<Effect>> effectsByOrigin = new LinkedHashMap<>();
  public final List<Grant> grants = new ArrayList<>();
  public final TreeSet<Long> deadBodies = new TreeSet<>();
  public Machine machine = new Machine();
  public long nowMillis = 1_767_225_600_000L;
  long monotonicMillis = 5_000;

  /** How far shard time is ahead of what the machine's clock says. */
  public long aheadMillis;

  public long index;
  public boolean checkEveryStep = true;
  private boolean holdsForwards;
  private Consumer<Decision> watch = decision -> {};
  private int dispatches;
  private int mostAtOnce = TopicState.MOST_AT_ONCE;

  /** Where bodies that a tick needs are read. */
  public FetchedBodies store = FetchedBodies.NONE;

  /** Bodies that were read because some tick needed them. */
  public final List<Long> read = new ArrayList<>();

  public Stamp stamp() {
    return new Stamp(nowMillis, monotonicMillis, nowMillis - aheadMillis, index + 1);
  }

  /** Time passes, unnoticed by the machine. */
  public void passes(Duration time) {
    nowMillis += time.toMillis();
    monotonicMillis += time.toMillis();
  }

  /** Time passes, and the shard's timer goes off as often as it is due. */
  public void advance(Duration time) {
    passes(time);
    tickWhileDue();
  }

  /** What the shard does when its timer is due. */
  public void tickWhileDue() {
    int slices = 0;
    while (machine.nextTickMillis(stamp()) == 0) {
      long before = stateOf(machine);
      Decision decision = machine.tick(stamp(), FetchedBodies.NONE);
      if (decision.needs().length > 0) {
        noteNeeds(decision);
        assertThat(machine.tick(stamp(), null).facts())
            .as("while it is read")
            .doesNotHaveAnyElementsOfTypes(Fact.ScheduledPublished.class);
        decision = machine.tick(stamp(), store);
      }
      assertThat(stateOf(machine)).as("a tick decides without changing anything").isEqualTo(before);
      take(decision);
      assertThat(++slices).as("ticks come to an end").isLessThan(100_000);
    }
    dispatchWhileWanted();
  }

  /** Bodies, without what stands for no changed properties. */
  private void noteNeeds(Decision decision) {
    for (long id : decision.needs()) {
      if (id != 0) {
        read.add(id);
      }
    }
  }

  /** From now on nothing moves by itself; or all does again. */
  public void holdForwards(boolean hold) {
    holdsForwards = hold;
    dispatchWhileWanted();
  }

  /** Is shown every decision from now on, before it is applied. */
  public void watch(Consumer<Decision> watcher) {
    watch = watcher;
  }

  /** What the shard does with messages that move by themselves. */
  public void forwardWhileWanted() {
    int slices = 0;
    while (machine.wantsForward() && !holdsForwards) {
      forwardOnce();
      assertThat(++slices).as("forwards come to an end").isLessThan(100_000);
    }
  }

  /** One slice of that. */
  public void forwardOnce() {
    long before = stateOf(machine);
    Decision decision = machine.forward(stamp(), FetchedBodies.NONE);
    if (decision.needs().length > 0) {
      noteNeeds(decision);
      assertThat(machine.forward(stamp(), null).facts()).as("while it is read").isEmpty();
      decision = machine.forward(stamp(), store);
      assertThat(decision.needs()).as("everything was read").isEmpty();
    }
    assertThat(stateOf(machine)).as("forward changes nothing").isEqualTo(before);
    take(decision);
  }

  /** One request, one batch. */
  public Decision ask(Request request) {
    Decision decision = decide(request);
    take(decision);
    dispatchWhileWanted();
    index++;
    return decision;
  }

  /** A decision that is not applied. */
  public Decision decide(Request request) {
    long before = stateOf(machine);
    Decision decision = machine.decide(stamp(), request);
    assertThat(stateOf(machine)).as("decide changes nothing").isEqualTo(before);
    return decision;
  }

  private long stateOf(Machine some) {
    return checkEveryStep ? VolatileHash.of(some) * 31L + some.stateHash() : 0;
  }

  /** How many slices were dispatched so far. */
  public int dispatches() {
    return dispatches;
  }

  public void dispatchWhileWanted() {
    forwardWhileWanted();
    int slices = 0;
    while (machine.wantsDispatch()) {
      long before = stateOf(machine);
      Decision decision = machine.dispatch(stamp());
      assertThat(stateOf(machine)).as("dispatch changes nothing").isEqualTo(before);
      dispatches++;
      take(decision);
      assertThat(++slices).as("dispatch comes to an end").isLessThan(100_000);
    }
  }

  /** Applies a decision as a shard does. */
  public void take(Decision decision) {
    watch.accept(decision);
    for (Fact fact : decision.facts()) {
      machine.apply(index + 1, fact);
      log.add(new Logged(index + 1, fact));
    }
    for (Grant grant : decision.grants()) {
      machine.apply(grant);
      grants.add(grant);
    }
    for (Effect effect : decision.effects()) {
      effects.add(effect);
      effectsByOrigin.computeIfAbsent(effect.to(), origin -> new ArrayList<>()).add(effect);
    }
    for (long dead : machine.takeDeadBodies()) {
      assertThat(deadBodies.add(dead)).as("a body dies once").isTrue();
    }
    if (checkEveryStep) {
      checker.check(machine);
    }
  }

  /** What one was told, in order. */
  public List<Effect> effectsFor(Origin origin) {
    return effectsByOrigin.getOrDefault(origin, List.of());
  }

  /** The only effect of this kind that a decision has. */
  public static <T extends Effect> T only(Decision decision, Class<T> kind) {
    assertThat(decision.effects()).hasSize(1);
    assertThat(decision.effects().getFirst()).isInstanceOf(kind);
    return kind.cast(decision.effects().getFirst());
  }

  private Machine empty() {
    return new Machine(1 << 24, mostAtOnce);
  }

  /** A machine that has the log of this one and nothing else. */
  public Machine replayed() {
    Machine other = empty();
    log.forEach(logged -> other.apply(logged.index(), logged.fact()));
    return other;
  }

  /** The process ends and comes back: the log stays, everything else is gone. */
  public void restart() {
    goOnWith(replayed());
  }

  /** The same, from a checkpoint. */
  public void restartFromSnapshot() {
    Machine rebuilt = empty();
    Snapshot snapshot = machine.beginSnapshot();
    for (List<Fact> part = snapshot.next(); !part.isEmpty(); part = snapshot.next()) {
      part.forEach(fact -> rebuilt.apply(index, fact));
    }
    snapshot.end();
    assertThat(rebuilt.stateHash()).as("of the checkpoint").isEqualTo(machine.stateHash());
    goOnWith(rebuilt);
  }

  private void goOnWith(Machine other) {
    machine = other;
    machine.takeDeadBodies();
    checker.forgetLocks();
    effects.clear();
  }

  /** Restarts, and copies a message for at most so many subscriptions at once from then on. */
  public void copiesAtOnce(int most) {
    mostAtOnce = most;
    restart();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    checker.check(machine);
    Machine again = replayed();
    checker.check(again);
    assertThat(again.stateHash())
        .as("a replay gives the same state")
        .isEqualTo(machine.stateHash());
    TreeSet<Long> dead = new TreeSet<>();
    for (long id : again.takeDeadBodies()) {
      dead.add(id);
    }
    assertThat(dead).as("a replay finds the same dead bodies").isEqualTo(deadBodies);
  }
}
