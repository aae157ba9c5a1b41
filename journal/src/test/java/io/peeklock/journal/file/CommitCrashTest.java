package io.peeklock.journal.file;

import static io.peeklock.journal.file.FileJournalContractTest.open;
import static io.peeklock.journal.sim.SimDisk.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.log.HighWater;
import io.peeklock.journal.segment.Segment;
import io.peeklock.journal.sim.SimDisk;
import io.peeklock.journal.sim.SimExecutors;
import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Overlay;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.SendBurst;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.kernel.request.Stamp;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.kernel.request.TransactionRequest;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.Batch;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyStorage;
import io.peeklock.runtime.Journal;
import io.peeklock.runtime.Log;
import io.peeklock.runtime.StagedBodies;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A commit that the power cut short at any byte: all of the transaction is there, or nothing. */
class CommitCrashTest {
  private static final QueueId ORDERS = new QueueId(1);
  private static final QueueId BILLS = new QueueId(3);
  private static final QueueId SAGAS = new QueueId(5);
  private static final int STATE_BYTES = 40;

  private final SimExecutors executors = new SimExecutors();
  private final SimDisk disk = new SimDisk();
  private final Driver log = new Driver();

  private static final class Asker implements Origin {}

  private static final class Note implements Ticket {}

  private static final class Work implements Transaction {}

  /** A machine whose decisions go to a journal. */
  private static final class Driver implements Log.Replay, Log.Listener {
    private final Asker asker = new Asker();
    private final Machine machine = new Machine();
    private @Nullable Journal journal;
    private long lastIndex;
    private long term;

    Driver on(Journal next) throws IOException {
      journal = next;
      var standing = next.recover(this, this);
      lastIndex = standing.lastIndex();
      term = standing.term();
      return this;
    }

    Decision ask(Request request, int... bodies) {
      return take(machine.decide(stamp(), request), bodies);
    }

    private Stamp stamp() {
      return new Stamp(1_000 + lastIndex, 1_000 + lastIndex, lastIndex + 1);
    }

    /** One decision, one batch. */
    Decision take(Decision decision, int... bodies) {
      var to = Objects.requireNonNull(journal);
      var facts = decision.facts();
      var firstBody = machine.nextBodyId();
      facts.forEach(fact -> machine.apply(lastIndex + 1, fact));
      decision.grants().forEach(machine::apply);
      if (!facts.isEmpty()) {
        to.append(
            new Batch(
                term,
                lastIndex + 1,
                lastIndex,
                1_000 + lastIndex,
                facts,
                firstBody,
                bodies.length == 0 ? List.of() : List.of(stage(to, bodies)),
                machine.takeDeadBodies()));
        lastIndex++;
      }
      return decision;
    }

    private static StagedBodies stage(Journal to, int... bodies) {
      var arena = to.newArena();
      arena.begin();
      for (var bytes : bodies) {
        var body = new byte[bytes];
        Arrays.fill(body, (byte) bytes);
        arena.reserve(bytes).put(body);
        arena.commit();
      }
      return arena.end();
    }

    Request.Send send(QueueId queue, int... sizes) {
      var forever = new long[sizes.length];
      Arrays.fill(forever, QueueDefinition.FOREVER);
      var burst = new SendBurst(sizes.length, sizes, new int[sizes.length], forever);
      return new Request.Send(asker, null, queue, burst, true);
    }

    /** The lock of the next message. */
    long[] peekLock() {
      ask(new Request.OpenReceiver(asker, ORDERS, ReceiveMode.PEEK_LOCK));
      ask(new Request.Flow(asker, 10, false));
      var effect = take(machine.dispatch(stamp())).effects().getFirst();
      return Objects.requireNonNull(((Effect.Delivered) effect).messages().lockIds());
    }

    /** Messages in the first queue, its dead letters, and messages in the second queue. */
    String counts() {
      return machine.counts(ORDERS).active()
          + " "
          + machine.counts(ORDERS).deadLetters()
          + " "
          + machine.counts(BILLS).active();
    }

    /** Holds the session from now on, whatever is its state. */
    Origin hold() {
      var holder = new Asker();
      ask(new Request.AcceptSession(holder, new Note(), SAGAS, "saga", ReceiveMode.PEEK_LOCK, 0));
      return holder;
    }

    Request.SetSessionState state(Origin holder, int bytes) {
      return new Request.SetSessionState(asker, new Note(), SAGAS, "saga", holder, bytes);
    }

    /** The bytes of the session's state, "none" for none. */
    String state(SimExecutors executors) {
      var read =
          (Effect.SessionStateRead)
              ask(new Request.GetSessionState(asker, new Note(), SAGAS, "saga", hold()))
                  .effects()
                  .getFirst();
      if (read.bodyId() == 0) {
        return "none";
      }
      var reading = new Reading();
      var ready = Objects.requireNonNull(journal).fetch(new long[] {read.bodyId()}, reading);
      executors.settle();
      var bodies = Objects.requireNonNull(ready == null ? reading.loaded : ready);
      var bytes = new byte[bodies.length(0)];
      bodies.buffer(0).get(bodies.offset(0), bytes);
      bodies.release();
      return bytes.length + " of " + bytes[0];
    }

    @Override
    public void restored(long index, List<Fact> part) {
      part.forEach(fact -> machine.apply(index, fact));
    }

    @Override
    public void batch(long index, long predecessor, long timeMillis, List<Fact> facts) {
      facts.forEach(fact -> machine.apply(index, fact));
    }

    @Override
    public void durable(long index) {}

    @Override
    public void lostLeadership() {
      throw new AssertionError("a local log leads for ever");
    }

    @Override
    public void failed(IOException cause) {
      throw new AssertionError(cause);
    }
  }

  /** Bodies that were not in memory. */
  private static final class Reading implements BodyStorage.LoadListener {
    private @Nullable Bodies loaded;

    @Override
    public void loaded(Bodies bodies) {
      loaded = bodies;
    }

    @Override
    public void unreadable(long bodyId, IOException cause) {
      throw new AssertionError(cause);
    }
  }

  private void begin() throws IOException {
    log.on(open(settings(), disk, executors));
    for (var name : List.of("orders", "bills")) {
      log.ask(new Request.CreateQueue(log.asker, new Note(), QueueDefinition.named(name)));
    }
    log.ask(log.send(ORDERS, 50, 60), 50, 60);
    executors.settle();
  }

  /** Completes one, dead-letters the other with a reason, sends three. */
  private void commit() {
    var locks = log.peekLock();
    var work = new Work();
    var done = settle(Settlement.COMPLETE, locks[0], null);
    var dead = settle(Settlement.DEAD_LETTER, locks[1], new Overlay(20, 0));
    log.ask(new TransactionRequest.Enlist(work, done));
    log.ask(new TransactionRequest.Enlist(work, dead));
    var sends = List.of(log.send(BILLS, 30, 31), log.send(ORDERS, 32));
    var commit =
        new TransactionRequest.Commit(
            log.asker, new Note(), work, List.of(done, dead), List.of(), sends);
    log.ask(commit, 20, 30, 31, 32);
    executors.settle();
  }

  private Request.Settle settle(Settlement settlement, long lock, @Nullable Overlay overlay) {
    return new Request.Settle(
        log.asker, null, ORDERS, settlement, new long[] {lock}, 1, false, overlay);
  }

  private String lastSegment() {
    return disk.names().stream().filter(Segment::isName).reduce((a, b) -> b).orElseThrow();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"cut", "zeros"})
  @Rule({"I-27", "S-379", "I-01"})
  void aCommitThatIsTornAtAnyByteIsThereWhollyOrNotAtAll(String kind) throws IOException {
    begin();
    var name = lastSegment();
    var before = disk.content(name).length;
    var mark = disk.content(HighWater.NAME);
    commit();
    var whole = disk.content(name);
    assertThat(log.counts()).isEqualTo("1 1 2");
    assertThat(whole.length).isGreaterThan(before + 4 * 30);
    var seen = new TreeSet<String>();

    for (var at = before; at < whole.length; at++) {
      var torn = Arrays.copyOf(Arrays.copyOf(whole, at), kind.equals("cut") ? at : whole.length);
      var copy = disk.copy();
      copy.put(name, torn);
      copy.put(HighWater.NAME, mark); // its sync had not returned

      var counts = new Driver().on(open(settings(), copy, new SimExecutors())).counts();

      assertThat(counts).as("torn at byte %s", at).isIn("2 0 0", "1 1 2");
      seen.add(counts);
    }
    assertThat(seen).contains("2 0 0");
    assertThat(new Driver().on(open(settings(), disk.copy(), new SimExecutors())).counts())
        .isEqualTo("1 1 2");
  }

  /** Completes one, sets the state anew, sends two. */
  private void commitWithState(Origin holder) {
    var locks = log.peekLock();
    var work = new Work();
    var done = settle(Settlement.COMPLETE, locks[0], null);
    log.ask(new TransactionRequest.Enlist(work, done));
    var commit =
        new TransactionRequest.Commit(
            log.asker,
            new Note(),
            work,
            List.of(done),
            List.of(),
            List.of(log.state(holder, STATE_BYTES)),
            List.of(log.send(BILLS, 30, 31)));
    log.ask(commit, STATE_BYTES, 30, 31);
    executors.settle();
  }

  /** What a broker finds that starts on this disk. */
  private static String found(SimDisk copy) throws IOException {
    var others = new SimExecutors();
    var log = new Driver().on(open(settings(), copy, others));
    var state = log.state(others);
    return log.counts() + ", state " + state;
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"cut", "zeros"})
  @Rule({"S-525", "I-27", "S-379", "I-01"})
  void aStateIsThereWithWhatWasSettledAndSentOrNothingIs(String kind) throws IOException {
    begin();
    var sagas = QueueDefinition.named("sagas").withSession(true);
    log.ask(new Request.CreateQueue(log.asker, new Note(), sagas));
    var holder = log.hold();
    log.ask(log.state(holder, 10), 10);
    executors.settle();
    var name = lastSegment();
    var before = disk.content(name).length;
    var mark = disk.content(HighWater.NAME);
    commitWithState(holder);
    var whole = disk.content(name);
    var seen = new TreeSet<String>();

    for (var at = before; at <= whole.length; at++) {
      var torn = Arrays.copyOf(Arrays.copyOf(whole, at), kind.equals("cut") ? at : whole.length);
      var copy = disk.copy();
      copy.put(name, torn);
      copy.put(HighWater.NAME, mark); // its sync had not returned
      seen.add(found(copy));
    }

    assertThat(seen).containsExactly("1 0 2, state 40 of 40", "2 0 0, state 10 of 10");
  }

  @Test
  @Rule({"S-380", "I-28", "I-30"})
  void aTransactionThatWasOpenLeavesNothingInTheLog() throws IOException {
    begin();
    var before = disk.content(lastSegment()).length;
    log.ask(
        new TransactionRequest.Enlist(
            new Work(), settle(Settlement.COMPLETE, log.peekLock()[0], null)));
    executors.settle();

    assertThat(disk.content(lastSegment())).hasSize(before);
    assertThat(new Driver().on(open(settings(), disk.copy(), new SimExecutors())).counts())
        .isEqualTo("2 0 0");
  }
}
