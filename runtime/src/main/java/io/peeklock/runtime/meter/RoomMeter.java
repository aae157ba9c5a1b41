package io.peeklock.runtime.meter;

import io.peeklock.kernel.machine.Machine;
import io.peeklock.runtime.thread.ShardThread;

/**
 * The budgets of a shard's machine and their use: deliveries in flight to receivers, and the heap
 * of stored messages. Written on the shard's thread, read from any thread.
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

  /** Sets the budgets in bytes for the next start of the shard; must be called before it. */
  public void bound(long deliveryBytes, long messageBytes) {
    mostUnderWay = deliveryBytes;
    mostStored = messageBytes;
  }

  /** Gives the budgets to a new, empty machine. */
  public void begin(Machine machine) {
    heldUpBefore = heldUp;
    machine.deliveries().bound(mostUnderWay);
    machine.stored().bound(mostStored);
    note(machine, 0, BodyRoom.UNBOUNDED);
  }

  /**
   * Notes the use after a step, with the heap that the journal takes for stored messages, and its
   * memory for bodies.
   */
  public void note(Machine machine, long besideBytes, BodyRoom bodies) {
    machine.stored().beside(besideBytes);
    machine.stored().bodies(bodies.mostBytes(), bodies.freeBytes());
    underWay = machine.deliveries().taken();
    heldUp = heldUpBefore + machine.deliveries().heldUp();
    starves = machine.deliveries().starved() > 0;
    stored = machine.stored().all();
  }

  /** Counts a refusal because the heap of stored messages is used up. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // only the shard's thread writes it
  @ShardThread
  public void refused() {
    refused++;
  }

  /** Whether so much is in flight that receivers get little, or wait for each other. */
  public boolean isDeliveryScarce() {
    return underWay >= mostUnderWay / 2;
  }

  /**
   * Whether a queue with messages and receivers waits for room with nothing in flight: then
   * receivers that hold much must not pause.
   */
  public boolean isDeliveryAwaited() {
    return starves;
  }

  /** The use of the budget of deliveries; a full one makes receivers wait and refuses nothing. */
  public BudgetUse useUnderWay() {
    return new BudgetUse("deliveries", underWay, mostUnderWay, heldUp);
  }

  /** The use of the heap by stored messages; refusals for an entity's share count too. */
  public BudgetUse useStored(ShardMeters meters) {
    return new BudgetUse("messages", stored, mostStored, refused + meters.refusedForShares());
  }
}
