package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.raw.RawLinks;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Starts orchestrations, lets competing orchestrators and workers bring them to their end, cuts
 * their connections and kills the broker meanwhile, and looks at what is left.
 *
 * <p>Exactly once means: no message comes to a state that does not wait for it, the ledger has one
 * message for each that was taken, and each orchestration ends in the state that has counted all.
 */
final class OrchestrationRun {
  private static final long LEFT = 3;
  private static final long TO_STEPS = 2;

  private final Scale scale;
  private final Random chance;
  private final boolean setsStatesInTransactions;

  /**
   * How much there is of everything.
   *
   * @param kills how many there are at most
   * @param lifeMillis the longest life of a broker
   * @param limit by when all must be complete
   */
  record Scale(
      int instances,
      Plan plan,
      int orchestrators,
      int workers,
      int kills,
      int lifeMillis,
      Duration limit) {}

  /** What a run came to. */
  record Outcome(List<String> violations, int kills, int cuts, String figures) {}

  OrchestrationRun(Scale scale, long seed) {
    this(scale, seed, true);
  }

  /**
   * A run for players who do not keep to the rules.
   *
   * @param setsStatesInTransactions whether states are set as they must be
   */
  OrchestrationRun(Scale scale, long seed, boolean setsStatesInTransactions) {
    this.scale = scale;
    this.chance = new Random(seed);
    this.setsStatesInTransactions = setsStatesInTransactions;
  }

  /** Plays it to its end. */
  Outcome play() throws IOException {
    var options =
        new ArrayList<>(
            BrokerProcess.queueOptions(
                List.of(
                    Stage.STEPS + ",RequiresSession=true,LockDuration=PT10S,MaxDeliveryCount=2000",
                    Stage.WORK + ",LockDuration=PT5S,MaxDeliveryCount=2000",
                    Stage.LEDGER + ",MaxDeliveryCount=2000")));
    options.addAll(List.of("--checkpoint-megabytes", "1", "--segment-megabytes", "1"));
    try (var broker = BrokerProcess.start(Folders.fresh("orchestrations"), options)) {
      return play(broker);
    }
  }

  private Outcome play(BrokerProcess broker) throws IOException {
    var stage = new Stage(scale.plan(), broker.port());
    var began = System.nanoTime();
    stage.live(this::start);
    for (var i = 0; i < scale.orchestrators(); i++) {
      stage.play(
          "orchestrator-" + i,
          new Orchestrator(stage, chance.nextLong(), setsStatesInTransactions));
    }
    for (var i = 0; i < scale.workers(); i++) {
      stage.play("worker-" + i, new Worker(stage, chance.nextLong()));
    }
    stage.play("clerk", new Clerk(stage));
    var chaos = new Chaos(stage, broker, scale, chance);
    chaos.untilAllAreComplete();
    stage.end();
    var violations = new ArrayList<>(stage.violations());
    if (violations.isEmpty()) {
      broker.kill(); // whatever is locked still is free after this
      broker.restart();
      stage.live(conversation -> violations.addAll(leftOver(stage, conversation)));
    }
    var seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
    return new Outcome(
        List.copyOf(violations),
        chaos.kills(),
        chaos.cuts(),
        stage + ", " + chaos + ", " + seconds + " s");
  }

  private List<String> instances() {
    return IntStream.range(0, scale.instances()).mapToObj(i -> "o" + i).toList();
  }

  private void start(Conversation conversation) throws IOException {
    conversation.sender(TO_STEPS, Stage.STEPS);
    for (var instance : instances()) {
      conversation.sendSurely(TO_STEPS, new Step(instance, 0, 0, 0).message());
    }
  }

  /** What is not as it must be once nobody plays any more. */
  private List<String> leftOver(Stage stage, Conversation conversation) throws IOException {
    var wrong = new ArrayList<String>();
    new Clerk(stage).readToTheEnd(conversation);
    wrong.addAll(stage.violations());
    var ledger = stage.ledger();
    if (ledger.size() != scale.instances() * (scale.plan().messages() + 1)) {
      wrong.add("the ledger has " + ledger.size() + " entries: " + new TreeSet<>(ledger));
    }
    var states = new SessionStates(conversation, Stage.STEPS);
    for (var instance : instances()) {
      wrong.addAll(leftOver(conversation, states, instance));
    }
    for (var queue : List.of(Stage.WORK, dead(Stage.WORK), dead(Stage.STEPS), dead(Stage.LEDGER))) {
      var link = conversation.receiver(LEFT, RawLinks.receiver(LEFT, queue));
      var left = conversation.next(link);
      if (left != null) {
        wrong.add(queue + " has " + left.message().messageId());
      }
      conversation.detach(LEFT);
    }
    return wrong;
  }

  private List<String> leftOver(Conversation conversation, SessionStates states, String instance)
      throws IOException {
    var wrong = new ArrayList<String>();
    var attach = RawLinks.sessionReceiver(instance, LEFT, Stage.STEPS, instance, 10_000, false);
    var link = conversation.receiver(LEFT, attach);
    var state = states.read(instance);
    if (!state.equals(new State(scale.plan().steps(), 0, scale.plan().messages()))) {
      wrong.add(instance + " ended in " + state);
    }
    var left = conversation.next(link);
    if (left != null) {
      wrong.add(instance + " has " + left.message().messageId());
    }
    conversation.detach(LEFT);
    return wrong;
  }

  private static String dead(String queue) {
    return queue + "/$DeadLetterQueue";
  }
}
