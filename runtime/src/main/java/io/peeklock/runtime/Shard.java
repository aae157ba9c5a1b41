package io.peeklock.runtime;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.runtime.meter.BudgetUse;
import io.peeklock.runtime.meter.RoomMeter;
import io.peeklock.runtime.meter.ShardMeters;
import io.peeklock.runtime.meter.WaitMeter;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log with all the queues of a namespace behind it: a passive object with a step. A step drains
 * the mailbox, decides and applies, hands one batch to the log and its effects to the gate; the
 * gate opens when the log reports the batch as durable. It decides while its log leads; otherwise
 * it follows, and refuses requests.
 *
 * <p>Everything but what {@link Broker} has, and what says otherwise, belongs to the shard's
 * thread. Nothing in a step blocks or reads a file.
 */
public final class Shard implements Broker {
  private static final Logger LOG = LoggerFactory.getLogger(Shard.class);

  private final Log log;
  private final BodyStorage bodies;
  private final Snapshots snapshots;
  private final ShardExecutor shardExecutor;
  private final MessageFormat format;
  private final ShardListener listener;
  private final Mailbox mailbox;
  private final Publication publication = new Publication();
  private final ShardMeters meters = new ShardMeters();
  private final RoomMeter room = new RoomMeter();
  private final AtomicBoolean stepWanted = new AtomicBoolean();
  private final AtomicBoolean openWanted = new AtomicBoolean();
  private final AtomicLong durableSeen = new AtomicLong();
  private final MadeBodies overlays;
  private MessageReads due;
  private MessageReads moving;
  private Machine machine = new Machine();
  private NamespaceLimits limits = NamespaceLimits.NONE;
  private long idKey;
  private @Nullable Checkpointing checkpointing;
  private Gate gate;
  private StoppedQueues stopped = new StoppedQueues(meters);
  private final Stamper stamper;
  private Term term = new Term();
  private long termNumber;
  private long lastIndex;
  private final Canary canary = new Canary();
  private final ShardClock clock;
  private final StepAlarm alarm;
  private final Stages stages;
  private final WaitMeter waits = new WaitMeter();
  private final WaitWatch waitWatch;
  private final WaitingRequests waiting;
  private final BackgroundPace pace;
  private final IdleWait idleWait = new IdleWait();
  private final DueWait dueWait = new DueWait();
  private boolean leading;
  private boolean ended;

  /**
   * A shard that {@link #start} recovers and runs.
   *
   * @param mailboxBytes the bytes, including the log's backlog, above which edges are asked to stop
   *     reading
   */
  public Shard(
      Journal journal,
      ShardExecutor shardExecutor,
      ShardClock clock,
      MessageFormat format,
      ShardListener listener,
      long mailboxBytes) {
    this.log = journal;
    this.bodies = journal;
    this.snapshots = journal;
    this.shardExecutor = shardExecutor;
    this.format = format;
    this.clock = clock;
    this.alarm = new StepAlarm(shardExecutor, this::wantStep);
    this.stages = new Stages(shardExecutor, clock);
    this.waitWatch = new WaitWatch(queue -> machine.heldUp(queue), clock, waits, LOG);
    this.gate = new Gate(0, this::undeliverable, this::undelivered, stages.reading());
    this.due = reads(stages.due());
    this.moving = reads(stages.moving());
    this.listener = listener;
    this.mailbox = new Mailbox(mailboxBytes);
    this.waiting = new WaitingRequests(bodies, format, mailbox, stages.settling(), this::wantStep);
    this.stamper = new Stamper(clock);
    this.overlays = new MadeBodies(bodies.newArena());
    this.pace = new BackgroundPace(log);
  }

  private MessageReads reads(StageWatch watch) {
    return new MessageReads(bodies, shardExecutor, format, watch, this::wantStep);
  }

  /**
   * Sets the limits for the next {@link #start}: what may be created, the bytes in flight to all
   * receivers, and the heap for stored messages. Must be called before it.
   */
  public void limit(NamespaceLimits newLimits, long deliveryBytes, long messageBytes) {
    limits = newLimits;
    room.bound(deliveryBytes, messageBytes);
  }

  /**
   * Sets a random number that decides where in memory message ids are that are remembered, so that
   * no client can choose ids that make the others slow. Must be called before {@link #start};
   * without it everybody knows it.
   */
  public void placeIdsBy(long key) {
    idKey = key;
  }

  /**
   * Has lines of the log that name an entity name its namespace too. Must be called before {@link
   * #start}; without it they name none, as where there is one only.
   */
  public void nameInLog(String namespace) {
    waitWatch.nameInLog(namespace);
  }

  /** Listens to the log for one term; calls for an earlier term are ignored. */
  private final class Term implements Log.Listener {
    private volatile boolean over;

    @Override
    public void durable(long index) {
      if (!over) {
        durableSeen.accumulateAndGet(index, Math::max);
        if (openWanted.compareAndSet(false, true)) {
          shardExecutor.execute(Shard.this::open);
        }
      }
    }

    @Override
    public void leads(Log.Standing standing) {
      if (!over && !ended && term == this) {
        lead(standing);
      }
    }

    @Override
    public void lostLeadership() {
      over = true;
      shardExecutor.execute(() -> rebuild(this));
    }

    @Override
    public void failed(IOException cause) {
      over = true;
      shardExecutor.execute(() -> end(cause));
    }
  }

  /**
   * Recovers the log, and is ready as soon as it leads: for a log of one process when this returns.
   * Requests submitted before are refused ({@link Refusal.NotLeading}). Blocks; call it on the
   * shard's thread, or before the shard's thread runs.
   *
   * @throws IOException as {@link Log#recover}
   */
  public void start() throws IOException {
    leading = false;
    publication.follow();
    lastIndex = 0;
    checkpointing = null;
    renewMachine();
    due.abandon();
    moving.abandon();
    due = reads(stages.due());
    moving = reads(stages.moving());
    term = new Term();
    log.recover(new Standby(), term);
  }

  @ShardThread
  private void renewMachine() {
    var earlier = machine;
    machine = new Machine();
    machine.succeed(earlier);
    machine.limit(limits);
    machine.placeIdsBy(idKey);
    room.begin(machine);
    waitWatch.forget();
  }

  /** Applies a log that is recovered or followed to the machine, without effects. */
  private final class Standby implements Log.Replay {
    private Replayer replayer = new Replayer(machine, bodies);

    @Override
    public void restored(long index, List<Fact> part) {
      replayer.restored(index, part);
    }

    @Override
    public void batch(long index, long predecessor, long timeMillis, List<Fact> facts) {
      replayer.batch(index, predecessor, timeMillis, facts);
    }

    @Override
    public void reset() {
      renewMachine();
      replayer = new Replayer(machine, bodies);
    }

    @Override
    public void ended() {
      replayer.ended();
    }
  }

  /** Begins to lead: the machine has everything earlier, and decides from now on. */
  @ShardThread
  private void lead(Log.Standing standing) {
    lastIndex = standing.lastIndex();
    termNumber = standing.term();
    durableSeen.set(lastIndex);
    gate = new Gate(lastIndex, this::undeliverable, this::undelivered, stages.reading());
    stopped = new StoppedQueues(meters);
    pace.begin();
    stamper.startAt(standing.lastTimeMillis());
    publication.restart(machine);
    room.note(machine, bodies.heapBytes(), bodies.bodyRoom());
    checkpointing = new Checkpointing(machine, snapshots, this::wantStep);
    leading = true; // last, or a half-initialised leader would decide
    wantStep();
  }

  @Override
  public boolean submit(Submission submission) {
    var resume = mailbox.offer(submission, log.backlogBytes());
    wantStep();
    return resume;
  }

  @Override
  public Catalogue catalogue() {
    return publication.current();
  }

  /** The meters of this shard, which count from its creation. */
  @AnyThread
  public ShardMeters meters() {
    return meters;
  }

  @Override
  public void watch(Runnable changed) {
    publication.watch(changed);
  }

  @Override
  public BodyArena newArena() {
    return bodies.newArena();
  }

  /**
   * Completes, on the shard's thread, when a batch that begins after this call is durable and past
   * the gate, so that a send would be answered. Leaves no message. Fails if the shard ends first,
   * or its log does not lead.
   */
  @AnyThread
  public CompletableFuture<Void> prove() {
    return canary.ask(shardExecutor, this::wantStep);
  }

  /**
   * The stage that has work and stalls, and for how long, or what holds up messages of every
   * entity, as a sentence for operators; empty for none.
   */
  @ShardThread
  public Optional<String> standing() {
    return stages.trouble().or(waitWatch::trouble);
  }

  /** Counts the queues whose messages should move by themselves and cannot. */
  @AnyThread
  public WaitMeter waits() {
    return waits;
  }

  /** How long the slowest stage has stalled, in milliseconds; 0 when none has. */
  @AnyThread
  public long stoodMillis() {
    return stages.stoodMillis();
  }

  /**
   * Makes shard time follow the machine's clock, and looks whether what is held up still is; to be
   * called every second.
   */
  @ShardThread
  public void lookAtClock() {
    waitWatch.lookAtAll();
    if (stamper.look()) {
      wantStep();
    }
  }

  /** How far shard time is ahead of the machine's clock, in milliseconds. */
  @AnyThread
  public long clockAheadMillis() {
    return stamper.aheadMillis();
  }

  @Override
  public RoomMeter room() {
    return room;
  }

  /** The budgets of the mailbox, of deliveries in flight and of stored messages. */
  @AnyThread
  public List<BudgetUse> budgets() {
    return List.of(mailbox.use(), room.useUnderWay(), room.useStored(meters));
  }

  /** Whether the log and the memory have room for sends. */
  @ShardThread
  public boolean takesSends() {
    return log.takesSends() && !machine.stored().isFull();
  }

  /**
   * Completes, on the shard's thread, once everything submitted is decided, durable and delivered.
   * New submissions delay it.
   */
  @AnyThread
  public CompletableFuture<Void> quiesce() {
    return idleWait.ask(shardExecutor, this::tellIfQuiet);
  }

  /**
   * Completes, on the shard's thread, once all is decided, durable and told that is due by what the
   * clock says at this call: locks, schedules, expiry, duplicate windows, idle entities. To be
   * called after a clock was moved, which timers know nothing of.
   */
  @AnyThread
  public CompletableFuture<Void> catchUp() {
    return dueWait.ask(shardExecutor, this::lookForDue);
  }

  @ShardThread
  private void lookForDue() {
    alarm.forget();
    if (ended) {
      dueWait.end(new IllegalStateException("the shard has ended"));
    } else {
      wantStep();
    }
  }

  @AnyThread
  private void wantStep() {
    if (stepWanted.compareAndSet(false, true)) {
      shardExecutor.execute(this::step);
    }
  }

  @ShardThread
  private void step() {
    stepWanted.set(false);
    if (ended) {
      emptyMailbox();
      return;
    }
    var began = System.nanoTime();
    try {
      if (leading) {
        drain();
        room.note(machine, bodies.heapBytes(), bodies.bodyRoom());
      } else {
        refuseWhatCame();
      }
      if (checkpointing != null) {
        checkpointing.step();
      }
      mailbox.resume(log.backlogBytes());
      tellIfQuiet();
    } catch (RuntimeException | Error broken) {
      end(broken);
    }
    meters.steps().add(System.nanoTime() - began);
  }

  @ShardThread
  private void refuseWhatCame() {
    for (var next = mailbox.poll(); next != null; next = mailbox.poll()) {
      next.release();
      var refusing = NotLeading.refusing(next.request());
      if (refusing != null) {
        meters.note(next.request(), Decision.telling(refusing));
        gate.admit(refusing, 0, null, bodies);
      }
    }
    gate.flush();
    if (canary.wantsBatch()) {
      canary.giveUp(new IllegalStateException("the log of this shard does not lead"));
    }
  }

  @ShardThread
  private void abandonCheckpoint() {
    if (checkpointing != null) {
      checkpointing.abandon();
      checkpointing = null;
    }
  }

  @ShardThread
  private void drain() {
    var stamp = stamper.next(lastIndex + 1);
    var draft = new BatchBuilder(stamp, machine.nextBodyId());
    var budget = new StepBudget(clock);
    decideWhatCame(draft, budget);
    if (pace.goesOn(gate.durable())) {
      workInBackground(draft, budget);
    }
    dispatch(draft, budget);
    close(draft);
    due.begin();
    moving.begin();
    waiting.begin();
    var wait = machine.nextTickMillis(stamp);
    var reads = due.isReading();
    alarm.arm(stamp.monotonicMillis(), wait, reads || pace.waits());
    if (dueWait.isAsked()) {
      dueWait.drained(wait > 0 && !reads && !machine.wantsDispatch() && !machine.wantsForward());
    }
    if (!mailbox.isEmpty() || machine.wantsDispatch() || mayForward()) {
      wantStep();
    }
  }

  @ShardThread
  private boolean mayForward() {
    return machine.wantsForward() && !moving.isReading() && !pace.waits();
  }

  @ShardThread
  private void workInBackground(BatchBuilder draft, StepBudget budget) {
    var factsBefore = draft.facts.size();
    if (machine.nextTickMillis(draft.stamp) <= 0) {
      tick(draft);
    } else {
      due.clear();
    }
    forward(draft, budget);
    if (draft.facts.size() > factsBefore) {
      pace.did(draft.stamp.index());
    }
  }

  @ShardThread
  private void decideWhatCame(BatchBuilder draft, StepBudget budget) {
    var next = mailbox.poll();
    while (next != null) {
      decide(draft, next);
      mailbox.charge(budget.decided());
      next = budget.allowsDecision(draft) ? mailbox.poll() : null;
    }
  }

  @ShardThread
  private void tick(BatchBuilder draft) {
    machine.sparesLog(!log.takesSends() && log.isOnLastRoom());
    machine.changedCopiesWait(!log.takesChangedCopies());
    var decision = machine.tick(draft.stamp, due.bodies());
    var needs = decision.needs();
    if (needs.length > 0) {
      due.want(needs);
      decision = machine.tick(draft.stamp, null); // work that needs no bodies
    }
    publication.deletedBy(decision).forEach(listener::idleDeleted); // S-312
    take(draft, decision, null);
    waitWatch.note(decision.grants());
    if (needs.length == 0) {
      due.clear();
    }
  }

  @ShardThread
  private void forward(BatchBuilder draft, StepBudget budget) {
    for (var slice = 0; budget.allowsSlice(slice, draft) && mayForward(); slice++) {
      machine.changedCopiesWait(!log.takesChangedCopies());
      var decision = machine.forward(draft.stamp, moving.bodies());
      if (decision.needs().length > 0) {
        moving.want(decision.needs());
      } else {
        take(draft, decision, null);
        waitWatch.note(decision.grants());
        moving.clear();
      }
    }
    if (!machine.wantsForward()) {
      moving.clear();
    }
  }

  @ShardThread
  private void dispatch(BatchBuilder draft, StepBudget budget) {
    for (var slice = 0; budget.allowsSlice(slice, draft) && machine.wantsDispatch(); slice++) {
      take(draft, machine.dispatch(draft.stamp), null);
    }
  }

  @ShardThread
  private void decide(BatchBuilder draft, Submission submission) {
    if (waiting.keeps(submission)) {
      return;
    }
    if (!takesSends() && refused(draft, submission)) {
      return;
    }
    if (!stopped.admits(submission.request())) {
      return;
    }
    var decision = machine.decide(draft.stamp, submission.request());
    if (decision.needs().length > 0) {
      waiting.read(submission, decision.needs()[0]);
      return;
    }
    meters.note(submission.request(), decision);
    take(draft, decision, overlays.staged(submission));
  }

  /** Refuses a request that must wait for room while there is none. */
  @ShardThread
  private boolean refused(BatchBuilder draft, Submission submission) {
    var refusing = FullStore.refusing(machine, draft.stamp, submission.request(), log);
    if (refusing == null) {
      return false;
    }
    if (log.takesSends()) {
      room.refused();
    }
    submission.release();
    meters.note(submission.request(), refusing);
    take(draft, refusing, null);
    return true;
  }

  @ShardThread
  private void take(BatchBuilder draft, Decision decision, @Nullable StagedBodies staged) {
    var bodiesBefore = machine.nextBodyId();
    for (var fact : decision.facts()) {
      machine.apply(draft.stamp.index(), fact);
      publication.note(fact, draft.stamp.index(), machine);
      meters.note(fact);
      draft.facts.add(fact);
    }
    for (var grant : decision.grants()) {
      machine.apply(grant);
      meters.note(grant);
    }
    for (var effect : decision.effects()) {
      meters.noteDelivery(effect);
      draft.effects.add(effect);
    }
    if (staged != null) {
      draft.settle(decision, staged, machine.nextBodyId() - bodiesBefore - decision.made().size());
    }
    if (!decision.made().isEmpty()) {
      draft.keep(overlays.stage(decision.made()));
    }
  }

  @ShardThread
  private void close(BatchBuilder draft) {
    var wantsBatch = log.needsNoopBatch() || canary.wantsBatch();
    if (!draft.facts.isEmpty() || wantsBatch) {
      log.append(draft.batch(termNumber, lastIndex, machine.takeDeadBodies()));
      lastIndex = draft.stamp.index();
      canary.appended(lastIndex);
    }
    for (var effect : draft.effects) {
      // An answer without a batch of its own rests on the last batch there is.
      gate.admit(effect, Math.min(effect.index(), lastIndex), EffectBodies.of(effect), bodies);
    }
    gate.flush();
  }

  @ShardThread
  private void open() {
    openWanted.set(false);
    if (ended || !leading) {
      return;
    }
    try {
      var durable = durableSeen.get();
      publication.open(durable);
      gate.open(durable);
      gate.flush();
      canary.durable(durable);
      publication.tellWatchers();
      if (pace.waits()) {
        wantStep();
      }
      mailbox.resume(log.backlogBytes());
      tellIfQuiet();
    } catch (RuntimeException | Error broken) {
      end(broken);
    }
  }

  @ShardThread
  private void tellIfQuiet() {
    if (mailbox.isEmpty() && waiting.isEmpty() && gate.durable() >= lastIndex) {
      idleWait.complete();
      dueWait.quiet();
    }
  }

  @ShardThread
  private void rebuild(Term lost) {
    if (ended || lost != term) {
      return;
    }
    LOG.warn("Leadership was lost; rebuilding from the durable log");
    abandonCheckpoint();
    gate.discard();
    canary.giveUp(new IOException("leadership was lost"));
    emptyMailbox();
    listener.leadershipLost();
    try {
      start();
    } catch (IOException | RuntimeException broken) {
      end(broken);
    }
  }

  /** The receiver learns of it through the stop of its queue, this or an earlier one. */
  @ShardThread
  private void undeliverable(Effect.Delivered delivered, String reason) {
    undelivered(delivered);
    stop(delivered.to(), reason);
  }

  @ShardThread
  private void undelivered(Effect effect) {
    StoppedQueues.undelivered(effect).forEach(request -> submit(Submission.of(request)));
  }

  @ShardThread
  private void stop(Origin receiver, String reason) {
    stopped.stop(receiver, reason).forEach(close -> submit(Submission.of(close)));
  }

  @Override
  public void unreadable(Endpoint receiver, String reason) {
    shardExecutor.execute(() -> stop(receiver, reason));
  }

  @ShardThread
  private void emptyMailbox() {
    waiting.release();
    mailbox.release();
    if (ended) {
      mailbox.resume(0); // a stopped endpoint may be gone, and waits to be released
    }
  }

  @ShardThread
  private void end(Throwable cause) {
    if (!ended) {
      ended = true;
      abandonCheckpoint();
      gate.discard();
      emptyMailbox();
      canary.end(cause);
      dueWait.end(cause);
      listener.ended(cause);
    }
  }
}
