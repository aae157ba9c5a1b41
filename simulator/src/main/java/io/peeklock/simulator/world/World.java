package io.peeklock.simulator.world;

import io.peeklock.journal.JournalSettings;
import io.peeklock.journal.file.FileJournal;
import io.peeklock.journal.memory.MemoryJournal;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.MessageFormat;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.ShardClock;
import io.peeklock.runtime.ShardListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A machine with the broker's process on it: the real shard over the real journal. Nothing happens
 * by itself: who has the world lets its threads take turns, lets time pass, and injects faults.
 */
public final class World {
  private static final String CHECKPOINT = ".checkpoint";
  private static final long CAPACITY_BYTES = 4L << 30;
  private static final int MAX_TURNS = 100_000;
  private static final long OPEN_BLOCKS_BYTES = 1L << 20;
  private static final long TABLES_BYTES = 64L << 10;
  private static final int MAX_RINGS = 1_000;
  private static final int PATIENCE_TURNS = 300;
  private static final long LOOK_MILLIS = 1_000;
  private static final int ROUNDS_OF_REST = 8;
  private static final long ROUND_MILLIS = 2_000;
  private static final String READING = "Reading from the disk";

  private final WorldSettings settings;
  private final MessageFormat format;
  private final RandomSource fileNames;
  private final SimTime time;
  private final ActiveFaults faults;
  private final FaultInjector injector;
  private WorldListener listener = new Nobody();
  private RandomSource random;
  private SimScheduler scheduler;
  private SimDisk disk = new SimDisk();
  private @Nullable Crash crash;
  private @Nullable Throwable ended;
  private Journal journal;
  private Shard shard;
  private long turns;
  private int starts;

  /** An end of the process that comes at one of the next changes of the disk. */
  private static final class Crash {
    private final Fault how;
    private final int atChange;
    private final long untilTurn;
    private @Nullable SimDisk left;

    Crash(Fault how, int atChange, long untilTurn) {
      this.how = how;
      this.atChange = atChange;
      this.untilTurn = untilTurn;
    }
  }

  private static final class Nobody implements WorldListener {
    @Override
    public void turned() {}

    @Override
    public void restarted(Shard shard) {}
  }

  private final class ShardWatch implements ShardListener {
    @Override
    public void leadershipLost() {
      ended = new IllegalStateException("leadership was lost where nobody else can lead");
    }

    @Override
    public void idleDeleted(String path) {
      ended = new IllegalStateException("nobody asked for it to be deleted: " + path);
    }

    @Override
    public void ended(Throwable cause) {
      ended = cause;
    }
  }

  /**
   * A machine on which the broker has just begun.
   *
   * @param format of the messages that clients send
   */
  public World(WorldSettings settings, MessageFormat format, long seed) {
    this.settings = settings;
    this.format = format;
    this.fileNames = new RandomSource(seed);
    this.random = new RandomSource(seed + 1);
    this.time = new SimTime(settings.stepNanos());
    this.faults = new ActiveFaults(time);
    this.injector = new FaultInjector(this, time, faults);
    this.scheduler = new SimScheduler(time);
    this.journal = begin();
    this.shard = startOn(journal);
  }

  private Journal begin() {
    disk.capacity(CAPACITY_BYTES);
    disk.beforeChange(this::checkCrash);
    ended = null;
    scheduler = new SimScheduler(time);
    starts++;
    if (!settings.onDisk()) {
      return MemoryJournal.create(settings.memoryBytes(), scheduler::execute);
    }
    try {
      var faulty = new FaultyDisk(disk, faults);
      return FileJournal.open(bounds(), scheduler::execute, faulty, scheduler, fileNames::next);
    } catch (IOException broken) {
      throw new BrokerFailed("the journal could not be opened", broken);
    }
  }

  private JournalSettings bounds() {
    return SimDisk.settings()
        .withSegmentBytes(settings.segmentBytes())
        .withResidentBytes(settings.residentBytes())
        .withCheckpointBytes(settings.checkpointBytes())
        .withReserveBytes(settings.reserveBytes());
  }

  private Shard startOn(Journal on) {
    var started = new Shard(on, scheduler, time, format, new ShardWatch(), settings.mailboxBytes());
    started.limit(NamespaceLimits.NONE, settings.deliveryBytes(), settings.messageBytes());
    try {
      started.start();
    } catch (IOException | RuntimeException broken) {
      throw new BrokerFailed("what was left could not be recovered", broken);
    }
    lookAtClockLater(started, scheduler);
    return started;
  }

  private void lookAtClockLater(Shard of, SimScheduler by) {
    by.executeLater(
        LOOK_MILLIS,
        () -> {
          of.lookAtClock();
          lookAtClockLater(of, by);
        });
  }

  /** Who is told from now on. */
  public void tell(WorldListener to) {
    listener = to;
  }

  /** From now on it goes by this random. */
  public void drawFrom(RandomSource next) {
    random = next;
  }

  /** What it draws from now. */
  public RandomSource random() {
    return random;
  }

  WorldSettings settings() {
    return settings;
  }

  SimDisk disk() {
    return disk;
  }

  /** The broker's process as it is now. */
  public Shard shard() {
    return shard;
  }

  /** A time that only goes on; those of the broker are at most {@link #clockDoubtMillis} off. */
  public long nowMillis() {
    return time.steadyMillis();
  }

  /** How far faults have moved the clock of the wall, which the broker follows in its own way. */
  public long clockDoubtMillis() {
    return time.movedMillis();
  }

  /** How many turns were taken so far. */
  public long turns() {
    return turns;
  }

  /** How often the broker's process began. */
  public int starts() {
    return starts;
  }

  /** Runs something on the thread of the clients. */
  public void atClients(Runnable task) {
    scheduler.add(SimThread.CLIENTS, task);
  }

  /** Runs something on the event loop. */
  public void atEventLoop(Runnable task) {
    scheduler.add(SimThread.EVENT_LOOP, task);
  }

  /** The same after a while. */
  public void laterAtEventLoop(long millis, Runnable task) {
    scheduler.later(SimThread.EVENT_LOOP, millis, task);
  }

  /** Both clocks of the machine. */
  public ShardClock clock() {
    return time;
  }

  /** Time by the clock that nobody sets. */
  public long monotonicMillis() {
    return time.monotonicMillis();
  }

  /** Something goes wrong; nothing does where there is nothing that it could happen to. */
  public void inject(Fault fault) {
    if (settings.onDisk() || !fault.needsDisk()) {
      injector.inject(fault);
    }
  }

  /** Threads take turns, so many of them at most. */
  public void turns(int most) {
    for (var i = 0; i < most && step() != null; i++) {
      // it is done
    }
  }

  /** One thread does one thing; which, or null when nobody has anything to do now. */
  private @Nullable SimThread step() {
    @Nullable SimThread thread;
    try {
      thread = scheduler.step(random, faults.readsEarly() ? SimThread.READS : null);
    } catch (RuntimeException | Error broken) {
      throw new BrokerFailed("a thread of the broker threw", broken);
    }
    if (thread != null) {
      turns++;
      var delay = faults.delay(thread, random);
      if (delay > 0) {
        scheduler.hold(thread, delay);
      }
    }
    listener.turned();
    endOfProcess();
    return thread;
  }

  private void endOfProcess() {
    var end = crash;
    if (end != null && end.left == null && turns >= end.untilTurn) {
      end.left = left(end.how);
    }
    if (end != null && end.left != null) {
      restartOn(end.left);
      return;
    }
    var cause = ended;
    if (cause != null) {
      var isFull = cause instanceof IOException && faults.wasFull();
      if (!isFull && !ActiveFaults.explains(cause)) {
        throw new BrokerFailed("the broker ended by itself", cause);
      }
      restartOn(isFull ? disk.killed() : left(Fault.POWER));
    }
  }

  /** Everybody works until nobody has anything to do now. */
  public void settle() {
    var taken = new EnumMap<SimThread, Integer>(SimThread.class);
    for (var i = 0; i < MAX_TURNS; i++) {
      var thread = step();
      if (thread == null) {
        return;
      }
      taken.merge(thread, 1, Integer::sum);
    }
    throw new BrokerFailed("it does not come to rest: " + taken);
  }

  /** Time passes, and everybody works. */
  public void pass(long millis) {
    var end = time.monotonicMillis() + millis;
    settle();
    var rings = 0;
    for (var next = next(); next <= end; next = next()) {
      rings = next > time.monotonicMillis() ? 0 : rings + 1;
      if (rings > MAX_RINGS) {
        throw new BrokerFailed("it does not come to rest: something is due again and again");
      }
      time.advanceTo(next);
      endFaults();
      settle();
    }
    time.advanceTo(end);
    endFaults();
    settle();
  }

  private long next() {
    return Math.min(time.nextAlarmMillis(), scheduler.nextReleaseMillis());
  }

  private void endFaults() {
    if (!faults.isFull()) {
      disk.others(0);
    }
  }

  /**
   * All faults are over, and time passes until everything that was due is done.
   *
   * @throws BrokerFailed when it does not come to rest
   */
  public void rest() {
    var startsBefore = starts;
    var mustHaveEnded = faults.hasFailedLogSync();
    var remembersFault = faults.hasFailedReads();
    faults.clear();
    scheduler.holdNobody();
    disk.others(0);
    settle();
    if (mustHaveEnded && starts == startsBefore) {
      throw new BrokerFailed("a sync of the log failed, and the process went on");
    }
    var end = crash;
    if (end != null) {
      restart(end.how);
    }
    if (remembersFault) {
      goesOnReading();
      restart(Fault.STOP);
    }
    for (var round = 0; round < ROUNDS_OF_REST; round++) {
      pass(ROUND_MILLIS);
    }
    var standing = shard.standing();
    if (standing.isPresent()) {
      throw new BrokerFailed("a stage stands still: " + standing.get());
    }
    checkMemory();
  }

  /** What is stored in memory has its bound, whatever it is. */
  private void checkMemory() {
    var bound = settings.memoryBytes() / 4 * 5; // copies with properties of their own go beyond it
    var taken = journal.use().bytes();
    if (!settings.onDisk() && taken > bound + OPEN_BLOCKS_BYTES) {
      throw new BrokerFailed(taken + " bytes are in memory, where " + bound + " may be");
    }
  }

  /**
   * All is at rest, and nothing is stored any more: budgets, pins and pools must be as they were at
   * the beginning, and next to nothing on the disk.
   *
   * @throws BrokerFailed when something is left
   */
  public void checkNothingIsLeft() {
    var left = new ArrayList<String>();
    Stream.concat(shard.budgets().stream(), journal.budgets().stream())
        .filter(use -> use.taken() > atBase(use.name()))
        .forEach(use -> left.add(use.taken() + " of the budget " + use.name()));
    if (journal.use().liveBytes() > 0) {
      left.add(journal.use().liveBytes() + " living bytes");
    }
    // the last two checkpoints have what was stored when they were written
    var checkpoints = disk.names().stream().filter(name -> name.endsWith(CHECKPOINT)).count();
    if (disk.bytesOf("") - disk.bytesOf(CHECKPOINT) > diskAtBase() || checkpoints > 2) {
      left.add(disk.bytesOf("") + " bytes on the disk, and " + checkpoints + " checkpoints");
    }
    if (!left.isEmpty()) {
      throw new BrokerFailed("all is deleted, and has left " + left);
    }
  }

  /** What is taken of a budget when nothing is stored: tables, as of the last step, and blocks. */
  private long atBase(String budget) {
    return switch (budget) {
      case "messages" -> TABLES_BYTES;
      case "memory_bodies" -> OPEN_BLOCKS_BYTES;
      default -> 0;
    };
  }

  private long diskAtBase() {
    return bounds().ballastBytes() + 4 * settings.segmentBytes() + settings.checkpointBytes();
  }

  /** A read that failed is over; what the process may remember of it is which body it was. */
  private void goesOnReading() {
    pass(ROUND_MILLIS);
    var standing = shard.standing();
    if (standing.isPresent() && standing.get().startsWith(READING)) {
      throw new BrokerFailed("no read begins after one that failed: " + standing.get());
    }
  }

  /** A thread gets no time for a while. */
  void stall(SimThread thread, long millis) {
    scheduler.hold(thread, millis);
  }

  /** The process ends at one of the next changes of the disk, or when none comes for a while. */
  void crashSoon(Fault how, int changes) {
    if (crash == null) {
      crash = new Crash(how, disk.changes() + changes, turns + PATIENCE_TURNS);
    }
  }

  private void checkCrash() {
    var end = crash;
    if (end != null && end.left == null && disk.changes() >= end.atChange) {
      end.left = left(end.how);
    }
  }

  private SimDisk left(Fault how) {
    return switch (how) {
      case POWER -> disk.crashed(random.asRandom());
      case POWER_WITH_FLIPPED_BITS -> disk.crashedWithFlips(random.asRandom());
      default -> disk.killed();
    };
  }

  /** The process ends now, in one of the ways in which it can, and another one begins. */
  void restart(Fault how) {
    if (how == Fault.STOP) {
      journal.close();
    }
    restartOn(left(how));
  }

  private void restartOn(SimDisk left) {
    Objects.requireNonNull(left);
    time.forgetAlarms();
    faults.forget();
    crash = null;
    disk.beforeChange(() -> {});
    disk = left;
    journal = begin();
    shard = startOn(journal);
    listener.restarted(shard);
  }
}
