package io.peeklock.runtime.meter;

import io.peeklock.kernel.machine.Machine;
import io.peeklock.runtime.thread.ShardThread;

/**
 * The room that the machine of a shard has and how much of it is taken: what is under way to
 * receivers, and what stored messages take of the heap. Written on the shard's thread, read from
 * any thread.
 */
public final class RoomMeter {
  private volatile long mostUnderWay = Long.MAX_VALUE;
  private volatile long mostStored = Long.MAX_VALUE;
  private volatile long underWay;
  private volatile long stored;
  private volatile long heldUp;
  private volatile boolean starves;
  private volatile long refused;
  private long heldUpBefore;

  /** From the next start of the shard on this is all there is; to be called before it. */
  public void bound(long deliveryBytes, long messageBytes) {
    mostUnderWay = deliveryBytes;
    mostStored = messageBytes;
  }

  /** A machine begins, with nothing in it. */
  public void begin(Machine machine) {
    heldUpBefore = heldUp;
    machine.deliveries().bound(mostUnderWay);
    machine.stored().bound(mostStored);
    note(machine, 0, BodyRoom.UNBOUNDED);
  }

  /** A step is over; the journal takes so much of the heap for what is stored, and has so much. */
  public void note(Machine machine, long besideBytes, BodyRoom bodies) {
    machine.stored().beside(besideBytes);
    machine.stored().bodies(bodies.mostBytes(), bodies.freeBytes());
    underWay = machine.deliveries().taken();
    heldUp = heldUpBefore + machine.deliveries().heldUp();
    starves = machine.deliveries().starved() > 0;
    stored = machine.stored().all();
  }

  /** Somebody was refused because what is stored takes all that it may. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the shard's thread alone writes it
  @ShardThread
  public void refused() {
    refused++;
  }

  /** Whether so much is under way that receivers are given little, or wait for each other. */
  public boolean isDeliveryScarce() {
    return underWay >= mostUnderWay / 2;
  }

  /**
   * Whether a queue with messages and receivers waits for room with nothing under way: then whoever
   * holds much must not pause either.
   */
  public boolean isDeliveryAwaited() {
    return starves;
  }

  /** Whoever finds it full is not refused but waits. */
  public BudgetUse useUnderWay() {
    return new BudgetUse("deliveries", underWay, mostUnderWay, heldUp);
  }

  /** What stored messages take of the heap; who is refused for an entity's share counts too. */
  public BudgetUse useStored(ShardMeters meters) {
    return new BudgetUse("messages", stored, mostStored, refused + meters.refusedForShares());
  }
}
