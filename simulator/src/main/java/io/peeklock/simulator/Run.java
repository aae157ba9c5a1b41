package io.peeklock.simulator;

import io.peeklock.simulator.generate.Generator;
import io.peeklock.simulator.generate.Step;
import io.peeklock.simulator.generate.Swarm;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Clients;
import io.peeklock.simulator.world.Fault;
import io.peeklock.simulator.world.RandomSource;
import io.peeklock.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One run: a seed says what it is about, and a number for each step what is done next. The same
 * numbers give the same run, bit for bit.
 */
final class Run {
  private static final int MAX_WAITS = 40;
  private static final int SOME_TURNS = 25;

  private final Trace trace = new Trace();
  private final Coverage coverage = new Coverage();
  private final Inventory inventory = new Inventory();
  private final Depth depth;
  private final long memory;
  private final long messages;
  private final long seed;
  private final Supplier<World> worlds;
  private final Generator generator;
  private final Auditor auditor;
  private final List<Long> steps;
  private final RandomSource lastRandom;
  private @Nullable Times times;
  private @Nullable Failure failure;

  /**
   * A run that has not begun.
   *
   * @param auditor is told all that happens, and throws when it may not be
   */
  Run(Depth depth, long seed, List<Long> steps, Auditor auditor) {
    var swarm = Swarm.of(seed);
    this.depth = depth;
    this.memory = swarm.world().onDisk() ? Long.MAX_VALUE : swarm.world().memoryBytes();
    this.messages = swarm.world().messageBytes();
    this.seed = seed;
    this.worlds = () -> new World(swarm.world(), depth.format(), seed);
    this.generator = new Generator(swarm);
    this.auditor = auditor;
    this.steps = steps;
    this.lastRandom = new RandomSource(seed);
  }

  /** The numbers of so many steps of a seed. */
  static List<Long> steps(long seed, int count) {
    var random = new RandomSource(~seed);
    return LongStream.generate(random::next).limit(count).boxed().toList();
  }

  /** Does all of it, up to what is found. */
  Run play() {
    var at = 0;
    try {
      var world = worlds.get();
      times = new Times(() -> world.clock().wallMillis() - world.nowMillis());
      var all = new CompositeAuditor(auditors(times));
      all.memoryBounded(memory);
      all.messagesBounded(messages);
      var clients = depth.clients(world, all, seed);
      for (; at < steps.size(); at++) {
        var random = new RandomSource(steps.get(at));
        world.drawFrom(random);
        take(generator.next(random), world, clients);
        letWork(world, random);
      }
      world.drawFrom(lastRandom);
      rest(world, clients);
      if (clients.leave()) {
        rest(world, clients);
      }
    } catch (RuntimeException | Error thrown) {
      failure = new Failure(at, thrown, trace.last());
    }
    return this;
  }

  private List<Auditor> auditors(Times judgeOfTimes) {
    var all =
        new ArrayList<Auditor>(
            List.of(trace, coverage, generator.observer(), inventory, judgeOfTimes));
    all.add(new Forwards());
    if (depth == Depth.SHARD) {
      all.add(new Quotas()); // frames have other sizes
    }
    all.add(auditor);
    return all;
  }

  private void take(Step step, World world, Clients clients) {
    switch (step) {
      case Step.Request ask -> {
        for (var i = 0; i < MAX_WAITS && !clients.mayAsk(); i++) {
          world.turns(SOME_TURNS);
          world.pass(i);
        }
        clients.ask(ask.operation());
      }
      case Step.Turns turns -> world.turns(turns.most());
      case Step.Pass pass -> world.pass(pass.millis());
      case Step.Inject inject -> {
        coverage.note(inject.fault());
        trace.note(world.nowMillis(), "fault " + inject.fault());
        world.inject(inject.fault());
        Objects.requireNonNull(times).moved(world.nowMillis(), inject.fault() == Fault.CLOCK);
        auditor.clockDoubted(world.clockDoubtMillis());
        if (inject.fault() == Fault.DISK_FULL) {
          auditor.diskFilled();
        }
      }
      case Step.Rest ignored -> rest(world, clients);
    }
  }

  private static void letWork(World world, RandomSource random) {
    switch (random.below(8)) {
      case 0, 1 -> world.settle();
      case 2, 3 -> {} // the next step comes at once
      default -> world.turns(random.below(SOME_TURNS));
    }
  }

  private void rest(World world, Clients clients) {
    world.rest();
    clients.rests();
    inventory.take(world, clients);
  }

  /** What was found; null for nothing. */
  @Nullable Failure failure() {
    return failure;
  }

  /** The same for two runs in which the same happened. */
  long hash() {
    return trace.hash();
  }

  Coverage coverage() {
    return coverage;
  }
}
