package io.peeklock.simulator;

import io.peeklock.simulator.client.Client;
import io.peeklock.simulator.client.LetterFormat;
import io.peeklock.simulator.generate.Generator;
import io.peeklock.simulator.generate.Step;
import io.peeklock.simulator.generate.Swarm;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.world.Chance;
import io.peeklock.simulator.world.World;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * One run: a seed says what it is about, and a number for each step what is done next. The same
 * numbers give the same run, bit for bit.
 */
final class Run {
  private static final int MOST_WAITS = 40;
  private static final int SOME_TURNS = 25;

  private final Trace trace = new Trace();
  private final Coverage coverage = new Coverage();
  private final Supplier<World> worlds;
  private final Generator generator;
  private final Auditor auditor;
  private final List<Long> steps;
  private final Chance lastChance;
  private @Nullable Find find;

  /**
   * A run that has not begun.
   *
   * @param auditor hears all that happens, and throws when it may not be
   */
  Run(long seed, List<Long> steps, Auditor auditor) {
    var swarm = Swarm.of(seed);
    this.worlds = () -> new World(swarm.world(), new LetterFormat(), seed);
    this.generator = new Generator(swarm);
    this.auditor = auditor;
    this.steps = steps;
    this.lastChance = new Chance(seed);
  }

  /** The numbers of so many steps of a seed. */
  static List<Long> steps(long seed, int count) {
    var chance = new Chance(~seed);
    return LongStream.generate(chance::next).limit(count).boxed().toList();
  }

  /** Does all of it, up to what is found. */
  Run play() {
    var at = 0;
    try {
      var world = worlds.get();
      var client = new Client(world, new Hearers(hearers()));
      for (; at < steps.size(); at++) {
        var chance = new Chance(steps.get(at));
        world.goBy(chance);
        take(generator.next(chance), world, client);
        letWork(world, chance);
      }
      world.goBy(lastChance);
      rest(world, client);
    } catch (RuntimeException | Error thrown) {
      find = new Find(at, thrown, trace.last());
    }
    return this;
  }

  private List<Auditor> hearers() {
    return List.of(trace, coverage, generator.ears(), auditor);
  }

  private void take(Step step, World world, Client client) {
    switch (step) {
      case Step.Ask ask -> {
        for (var i = 0; i < MOST_WAITS && !client.mayAsk(); i++) {
          world.turns(SOME_TURNS);
          world.pass(i);
        }
        client.ask(ask.operation());
      }
      case Step.Turns turns -> world.turns(turns.most());
      case Step.Pass pass -> world.pass(pass.millis());
      case Step.Strike strike -> {
        coverage.note(strike.fault());
        trace.note(world.nowMillis(), "struck by " + strike.fault());
        world.strike(strike.fault());
      }
      case Step.Rest ignored -> rest(world, client);
    }
  }

  private static void letWork(World world, Chance chance) {
    if (chance.oneIn(4)) {
      world.settle();
    } else {
      world.turns(chance.below(SOME_TURNS));
    }
  }

  private static void rest(World world, Client client) {
    world.rest();
    client.rests();
  }

  /** What was found; null for nothing. */
  @Nullable Find find() {
    return find;
  }

  /** The same for two runs in which the same happened. */
  long hash() {
    return trace.hash();
  }

  Coverage coverage() {
    return coverage;
  }
}
