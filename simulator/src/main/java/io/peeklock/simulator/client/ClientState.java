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
final class ClientState {
  final World world;
  final HistoryRecorder recorder;
  final LockIds locks = new LockIds();
  final Directory directory = new Directory();
  final TreeMap<String, Receiver> receivers = new TreeMap<>();
  final TreeMap<Long, Operation> unanswered = new TreeMap<>();
  private final SimEndpoint.Listener listener;
  private final Numbers numbers;
  private Shard shard;
  private Sender sender;
  private SimEndpoint management;
  private BodyStager stager;
  private boolean isStopped;
  private @Nullable Long administration;

  ClientState(World world, Auditor auditor, SimEndpoint.Listener listener, Numbers numbers) {
    this.world = world;
    this.recorder = new HistoryRecorder(auditor);
    this.listener = listener;
    this.numbers = numbers;
    this.shard = world.shard();
    this.sender = new Sender();
    this.management = new SimEndpoint(sender, listener);
    this.stager = new BodyStager(shard.newArena(), management);
    directory.restarted(shard.catalogue());
  }

  /** There is another process: what was known about the one before is void. */
  void restarted(Shard next) {
    shard = next;
    sender = new Sender();
    management = new SimEndpoint(sender, listener);
    stager = new BodyStager(shard.newArena(), management);
    locks.restarted();
    directory.restarted(shard.catalogue());
    receivers.clear();
    unanswered.clear();
    isStopped = false;
    administration = null;
  }

  /** The entities are the same by name, and others for the broker. */
  void madeAgain(PendingRequest asked) {
    directory.restarted(shard.catalogue());
    decided(asked);
  }

  /** The request channel. */
  SimEndpoint management() {
    return management;
  }

  BodyStager stager() {
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
    shard.unreadable(receiver.endpoint, "a large body could not be read");
  }

  /** Somebody asks; its number. */
  long ask(Operation operation) {
    var id = numbers.next();
    var now = nowMillis();
    recorder.add(auditor -> auditor.asked(id, operation, now));
    return id;
  }

  /** Somebody asks, and waits for an answer. */
  PendingRequest question(Operation operation) {
    var id = ask(operation);
    unanswered.put(id, operation);
    return new PendingRequest(id, operation);
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
    answer(recorder.open(nowMillis()), id, answer);
  }

  /** The broker has answered. */
  void answer(HistoryRecorder.Event event, long id, Answer answer) {
    unanswered.remove(id);
    event.write(auditor -> auditor.answered(id, answer, event.millis));
  }

  /** What is asked makes or deletes an entity, and until it is decided paths mean nothing. */
  void administers(PendingRequest asked) {
    administration = asked.id();
  }

  void decided(PendingRequest asked) {
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
  @Nullable SimEndpoint holder(@Nullable String receiver) {
    var known = receiver == null ? null : receivers.get(receiver);
    return known == null ? null : known.endpoint;
  }
}
