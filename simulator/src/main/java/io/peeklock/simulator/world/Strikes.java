package io.peeklock.simulator.world;

/** How each fault comes about. */
final class Strikes {
  private static final int MOST_CHANGES = 12;

  private final World world;
  private final SimTime time;
  private final Weather weather;

  Strikes(World world, SimTime time, Weather weather) {
    this.world = world;
    this.time = time;
    this.weather = weather;
  }

  void strike(Fault fault) {
    var chance = world.chance();
    var millis = chance.between(1, 3_000);
    switch (fault) {
      case KILL, POWER -> end(fault, chance);
      case STOP -> world.restart(Fault.STOP);
      case CLOCK -> time.stepWall(chance.of(-1L, 1L) * chance.between(1, 30_000));
      case SLEEP -> time.sleep(chance.between(1, 60_000));
      case SLOW_SYNCS -> weather.slowSyncs(millis);
      case LATE_READS -> weather.lateReads(millis);
      case READ_FAILS_ONCE -> weather.failOneRead();
      case READS_FAIL -> weather.failReads(millis);
      case DISK_FULL -> fill(chance, millis);
    }
  }

  private void end(Fault how, Chance chance) {
    if (chance.oneIn(3)) {
      world.restart(how);
    } else {
      world.cutSoon(how, chance.between(1, MOST_CHANGES));
    }
  }

  private void fill(Chance chance, long millis) {
    var reserve = Math.toIntExact(world.settings().reserveBytes());
    weather.fill(millis);
    world.disk().leave(chance.between(0, reserve));
  }
}
