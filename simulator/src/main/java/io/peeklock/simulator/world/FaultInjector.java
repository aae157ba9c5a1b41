package io.peeklock.simulator.world;

/** How each fault comes about. */
final class FaultInjector {
  private static final int MAX_CHANGES = 12;

  private final World world;
  private final SimTime time;
  private final ActiveFaults faults;

  FaultInjector(World world, SimTime time, ActiveFaults faults) {
    this.world = world;
    this.time = time;
    this.faults = faults;
  }

  void inject(Fault fault) {
    var random = world.random();
    var millis = random.between(1, 3_000);
    switch (fault) {
      case KILL, POWER, POWER_WITH_FLIPPED_BITS -> end(fault, random);
      case STOP -> world.restart(Fault.STOP);
      case CLOCK -> time.stepWall(random.of(-1L, 1L) * random.between(1, 30_000));
      case SLEEP -> time.sleep(random.between(1, 60_000));
      case SLOW_SYNCS -> faults.slowSyncs(millis);
      case SYNC_FAILS -> faults.failOnce(ActiveFaults.Call.SYNC);
      case WRITE_FAILS -> faults.failOnce(ActiveFaults.Call.WRITE);
      case CREATE_FAILS -> faults.failOnce(ActiveFaults.Call.CREATE);
      case THREAD_STALLS -> world.stall(random.of(SimThread.values()), millis);
      case SHARD_STALLS -> world.stall(SimThread.SHARD, millis);
      case EARLY_READS -> faults.earlyReads(millis);
      case LATE_READS -> faults.lateReads(millis);
      case READ_FAILS_ONCE -> faults.failOneRead();
      case READS_FAIL -> faults.failReads(millis);
      case DISK_FULL -> fill(random, millis);
    }
  }

  private void end(Fault how, RandomSource random) {
    if (random.oneIn(3)) {
      world.restart(how);
    } else {
      world.crashSoon(how, random.between(1, MAX_CHANGES));
    }
  }

  private void fill(RandomSource random, long millis) {
    var reserve = Math.toIntExact(world.settings().reserveBytes());
    faults.fill(millis);
    world.disk().leave(random.between(0, reserve));
  }
}
