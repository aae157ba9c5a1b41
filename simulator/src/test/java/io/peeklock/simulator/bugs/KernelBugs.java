package io.peeklock.simulator.bugs;

import io.peeklock.simulator.bugs.SeededBug.Kind;
import java.util.List;

/** Bugs of the rules. */
final class KernelBugs {
  static final List<SeededBug> ALL =
      List.of(
          SeededBug.of("ids are forgotten by a checkpoint", "S-266", Kind.RECOVERY)
              .in(
                  "kernel.apply.FactApplier",
                  "ids != null && i < fact.arrivedAtMillis().length",
                  "ids != null && i < 0"),
          SeededBug.of("sequence numbers begin again after a restart", "I-12", Kind.RECOVERY)
              .in(
                  "kernel.snapshot.Snapshot",
                  "each.entry(), each.nextSequenceNumber(), each.isDeleted())",
                  "each.entry(), Math.max(1, each.nextSequenceNumber() - 1), each.isDeleted())"),
          SeededBug.of("an old token settles a later delivery", "I-17", Kind.LOCK)
              .in(
                  "kernel.state.LockTable",
                  "return slot < used && ids[slot] == lockId && lockId != 0",
                  "return slot < used && ids[slot] != 0 && lockId != 0")
              .in(
                  "kernel.settle.LockCheck",
                  "ids[held] = lockIds[i];",
                  "ids[held] = locks.id(LockTable.slotOf(lockIds[i]));"),
          SeededBug.of("a lapsed lock still settles", "S-098", Kind.LOCK)
              .in("kernel.state.LockTable", "&& monotonicMillis < deadlines[slot];", ";"),
          SeededBug.of("a lock that lapses does not count", "S-121", Kind.COUNTING)
              .in(
                  "kernel.turn.TickHandler",
                  "boolean counted = !queue.isDeadLetterQueue() && !state.sparesLog;",
                  "boolean counted = false;"),
          SeededBug.of("dropped instead of dead-lettered", "S-029", Kind.LOSS)
              .in(
                  "kernel.settle.UnlockRules",
                  """
                  new Fact.DeadLettered(
                      queue.id(),
                      queue.deadLetters().id(),
                      exhausted.toArray(),
                      DeadLetterCause.MAX_DELIVERY_COUNT_EXCEEDED,
                      counted,
                      change.store())
                  """,
                  "new Fact.Expired(queue.id(), exhausted.toArray())"),
          SeededBug.of("one attempt too many", "I-21", Kind.COUNTING)
              .in(
                  "kernel.state.QueueState",
                  "deliveryCount(Place.row(place)) + 1 >= definition.maxDeliveryCount()",
                  "deliveryCount(Place.row(place)) >= definition.maxDeliveryCount()"),
          SeededBug.of("scheduled by shard time", "S-152", Kind.TIME)
              .in(
                  "kernel.schedule.ScheduledActivationHandler",
                  "if (chunks.expiryBound(i) <= stamp.wallMillis()) {"
                      + " collect(chunks.chunk(i), stamp.wallMillis(), most, due);",
                  "if (chunks.expiryBound(i) <= stamp.nowMillis()) {"
                      + " collect(chunks.chunk(i), stamp.nowMillis(), most, due);")
              .in(
                  "kernel.schedule.ScheduledActivationHandler",
                  "if (scheduled.dueBound() > stamp.wallMillis()) {",
                  "if (scheduled.dueBound() > stamp.nowMillis()) {")
              .in(
                  "kernel.turn.TickHandler",
                  "case SCHEDULES, READ_COPIES, COPIES -> stamp.wallMillis();",
                  "case SCHEDULES, READ_COPIES, COPIES -> stamp.nowMillis();"),
          SeededBug.of("half of a transaction", "I-27", Kind.ATOMICITY)
              .in(
                  "kernel.transaction.CommitHandler",
                  "if (held.count() > 0) { SettleHandler.settle(",
                  "if (held.count() > 0 && (commit.sends().isEmpty() || commit.settlements().size()"
                      + " > 1)) { SettleHandler.settle("),
          SeededBug.of("an abandoned message comes last", "S-028", Kind.ORDER)
              .in(
                  "kernel.columns.ReadyIndex",
                  "firstNumber = Math.min(firstNumber, chunk.number(row));",
                  "firstNumber = count == 1 || firstNumber == Long.MAX_VALUE"
                      + " ? Math.min(firstNumber, chunk.number(row)) : firstNumber;"),
          SeededBug.of("an expired message is delivered", "S-167", Kind.TIME)
              .in(
                  "kernel.deliver.DispatchHandler",
                  "if (queue.isExpired(place, stamp.nowMillis())) { expired.add(",
                  "if (queue.isDeleted()) { expired.add("),
          SeededBug.of("expired under a lock, and back for ever", "S-170", Kind.TIME)
              .in(
                  "kernel.settle.UnlockRules",
                  "} else if (returns && queue.isExpired(place, stamp.nowMillis())) {",
                  "} else if (returns && queue.isDeleted()) {"),
          SeededBug.of("a session is given twice", "S-237", Kind.LOCK)
              .in(
                  "kernel.session.SessionHandler",
                  "? session != null && session.isTaken() // S-237",
                  "? session != null && session.isEnding // S-237"),
          SeededBug.of("whoever names a session has its messages", "S-111", Kind.LOCK)
              .in(
                  "kernel.settle.LockCheck",
                  "&& (ground.holder() == null || session.isHeldBy(ground.holder()));",
                  ";"),
          SeededBug.of("a renewal extends nothing", "S-105", Kind.LOCK)
              .in(
                  "kernel.settle.RenewHandler",
                  "renew.lockIds().clone(), stamp.monotonicMillis() + duration)",
                  "renew.lockIds().clone(), stamp.monotonicMillis() + duration / 2)"),
          SeededBug.of("a number twice in a request is two locks", "S-208", Kind.LOCK)
              .in(
                  "kernel.deliver.ReceiveDeferredHandler",
                  "if ((repeated != null && repeated[i]) || !isReceivable(",
                  "if (!isReceivable("),
          SeededBug.of("a deferred message is received twice", "S-214", Kind.LOCK)
              .in(
                  "kernel.deliver.ReceiveDeferredHandler",
                  "return chunk.isDeferred(row) && chunk.lockSlot(row) == 0",
                  "return chunk.isDeferred(row)"),
          SeededBug.of("a restart makes deferred messages active", "S-206", Kind.RECOVERY)
              .in(
                  "kernel.state.RestoredRows",
                  "if (deferred != null && deferred[k]) { chunk.defer(row); }",
                  ""),
          SeededBug.of("a restart forgets attempts", "S-126", Kind.RECOVERY)
              .in(
                  "kernel.state.RestoredRows",
                  "if (counts != null) { chunk.setDeliveryCount(row, counts[k]); }",
                  ""),
          SeededBug.of("a body goes with its first copy", "I-01", Kind.SPACE)
              .in(
                  "kernel.columns.SharedBodies",
                  "counts[slot]--; if (counts[slot] > 0) {",
                  "counts[slot]--; if (counts[slot] > 1) {"),
          SeededBug.of("dead letters are free", "S-187", Kind.COUNTING)
              .in(
                  "kernel.state.QueueState",
                  "+ partner.messages.bytes() + transferBytes();",
                  "+ transferBytes();"),
          SeededBug.of("a state is not logged when it is cleared", "S-253", Kind.LOSS)
              .in(
                  "kernel.session.SessionStateHandler",
                  "if (clears && isFirst(state, stamp, set)) {",
                  "if (clears) {"),
          SeededBug.of("a drain ends before what is there", "S-087", Kind.ORDER)
              .in(
                  "kernel.deliver.DispatchHandler",
                  "if (demand.hasIdleDrains()) { return endDrains(demand.idleDrains(), false); }",
                  "if (demand.hasDrains()) { return endDrains(demand.draining(), false); }"),
          SeededBug.of("credit is used once less", "S-086", Kind.COUNTING)
              .in(
                  "kernel.state.Demand",
                  "receiver.deliveries += deliveries;",
                  "receiver.deliveries += Math.max(1, deliveries - 1);"));

  private KernelBugs() {}
}
