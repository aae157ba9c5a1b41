package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Sender;
import io.peeklock.runtime.Shard;
import io.peeklock.runtime.Submission;
import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.World;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What all that clients do shares: their one connection to the process, what they have asked and
 * are not answered, their receivers. All is asked through one sender, so that it is decided in the
 * order in which it was asked.
 */
final class Desk {
  final World world;
  final Chronicle chronicle;
  final LockNames locks = new LockNames();
  final Directory directory = new Directory();
  final TreeMap<String, Receiver> receivers = new TreeMap<>();
  final TreeMap<Long, Operation> unanswered = new TreeMap<>();
  private final Party.Listener listener;
  private Shard shard;
  private Sender sender;
  private Party console;
  private Stager stager;
  private long ids;
  private boolean isStopped;
  private @Nullable Long administration;

  Desk(World world, Auditor auditor, Party.Listener listener) {
    this.world = world;
    this.chronicle = new Chronicle(auditor);
    this.listener = listener;
    this.shard = world.shard();
    this.sender = new Sender();
    this.console = new Party(sender, listener);
    this.stager = new Stager(shard.newArena(), console);
    directory.restarted(shard.catalogue());
  }

  /** There is another process: what was known about the one before is void. */
  void restarted(Shard next) {
    shard = next;
    sender = new Sender();
    console = new Party(sender, listener);
    stager = new Stager(shard.newArena(), console);
    locks.restarted();
    directory.restarted(shard.catalogue());
    receivers.clear();
    unanswered.clear();
    isStopped = false;
    administration = null;
  }

  /** The request channel. */
  Party console() {
    return console;
  }

  Stager stager() {
    return stager;
  }

  long nowMillis() {
    return world.nowMillis();
  }

  boolean mayAsk() {
    return !isStopped && stager.hasRoom();
  }

  void resume() {
    isStopped = false;
  }

  /** A body could not be read: its queue stops, as the real edge has it. */
  void stop(Receiver receiver) {
    shard.unreadable(receiver.party, "a large body could not be read");
  }

  /** Somebody asks; its number. */
  long ask(Operation operation) {
    var id = ++ids;
    var now = nowMillis();
    chronicle.add(auditor -> auditor.asked(id, operation, now));
    return id;
  }

  /** Somebody asks, and waits for an answer. */
  Asked question(Operation operation) {
    var id = ask(operation);
    unanswered.put(id, operation);
    return new Asked(id, operation);
  }

  void submit(Request request) {
    submit(Submission.of(request));
  }

  void submit(Submission submission) {
    if (!shard.submit(submission)) {
      isStopped = true;
    }
  }

  /** The client knows the answer without the broker. */
  void answer(long id, Answer answer) {
    answer(chronicle.open(nowMillis()), id, answer);
  }

  /** The broker has answered. */
  void answer(Chronicle.Line line, long id, Answer answer) {
    unanswered.remove(id);
    line.write(auditor -> auditor.answered(id, answer, line.millis));
  }

  /** What is asked makes or deletes an entity, and until it is decided paths mean nothing. */
  void administers(Asked asked) {
    administration = asked.id();
  }

  void decided(Asked asked) {
    if (administration != null && administration == asked.id()) {
      administration = null;
    }
  }

  boolean isAdministering() {
    return administration != null;
  }

  /** A receiver that is not there yet. */
  Receiver open(String name, QueueId queue) {
    var receiver = new Receiver(name, queue, sender, listener);
    receivers.put(name, receiver);
    return receiver;
  }

  /** The receiver of a name if it still is one; null for none. */
  @Nullable Receiver living(@Nullable String name) {
    var receiver = name == null ? null : receivers.get(name);
    return receiver == null || receiver.isOver ? null : receiver;
  }

  /** Who is to hold a session for what is asked through this receiver; null for nobody. */
  @Nullable Party holder(@Nullable String receiver) {
    var known = receiver == null ? null : receivers.get(receiver);
    return known == null ? null : known.party;
  }
}
