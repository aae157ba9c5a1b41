package io.peeklock.store;

import static io.peeklock.store.DataFolder.CARTS;
import static io.peeklock.store.DataFolder.CART_DEFINITION;
import static io.peeklock.store.DataFolder.MAIL;
import static io.peeklock.store.DataFolder.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whichever batches are lost, a repair comes to its end, and what it makes is whole. */
@LongProof
class AnyLostBatchTest {
  @TempDir Path root;
  private final List<Long> offsets = new ArrayList<>();
  private long last;
  private int tries;

  private Path whole() {
    return root.resolve("whole");
  }

  @BeforeEach
  void fill() throws IOException {
    try (var log = DataFolder.open(whole())) {
      log.send(10, 20, 30).complete(1).deadLetter(2).schedule(20, 30, 40).cancel(4).activate(5);
      log.with(new EntityFact.QueueUpdated(ORDERS, DataFolder.DEFINITION, 7));
      log.carts().sendTo("a", 50).sendTo("b", 60).sendTo("a", 70).state("a", 80).state("b", 90);
      log.topic().publish(10, 20, 30).completeAudited(1).forwardAudited(3);
      renewRule(log);
      log.send(300).publish(10);
      log.topicAgain();
      renewCarts(log);
      renewTopic(log);
      log.send(10).complete(3).send(5);
      last = log.index();
    }
    for (var index = 1L; index <= last; index++) {
      offsets.add(CommandResult.offset(whole(), index));
    }
  }

  private static void renewRule(DataFolder log) throws IOException {
    var rule = io.peeklock.kernel.entity.Rule.selectingAll(5);
    log.with(new Fact.RuleRemoved(MAIL, rule.name())).with(new Fact.RuleAdded(MAIL, rule));
    log.with(new Fact.RuleRemoved(MAIL, rule.name())).with(new Fact.RuleAdded(MAIL, rule));
  }

  private static void renewCarts(DataFolder log) throws IOException {
    log.with(new EntityFact.QueueDeleted(CARTS));
    log.with(new EntityFact.Deleted(CARTS, new long[] {1, 2}));
    log.with(new EntityFact.Deleted(CARTS, new long[] {3}));
    var again = new QueueId(17);
    log.with(new Fact.QueueCreated(again, new QueueId(18), CART_DEFINITION, 0));
  }

  private static void renewTopic(DataFolder log) throws IOException {
    var topic = new QueueId(11);
    log.together(
        new EntityFact.QueueDeleted(topic),
        new EntityFact.QueueDeleted(new QueueId(13)),
        new EntityFact.QueueDeleted(new QueueId(15)));
    var again = QueueDefinition.named("events").as(new QueueRole.Topic(false));
    log.with(new Fact.QueueCreated(new QueueId(19), new QueueId(20), again, 0));
    var path = "events/Subscriptions/other";
    var other = QueueDefinition.named(path).as(new QueueRole.Subscription("events", true));
    log.with(new Fact.QueueCreated(new QueueId(21), new QueueId(22), other, 0));
  }

  private void repairWithout(int... lost) throws IOException {
    var repaired = root.resolve("repaired" + tries++);
    flip(lost);
    var result = CommandResult.repair(whole(), repaired, "--accept-loss");
    flip(lost); // as it was

    assertThat(result.code()).as("without %s: %s", Arrays.toString(lost), result).isZero();
    var verified = CommandResult.by("verify", repaired);
    assertThat(verified.code()).as("without %s: %s", Arrays.toString(lost), verified).isZero();
  }

  /** The batches in which something is deleted. */
  private int[] deletions() throws IOException {
    var choice = new Dump.Choice(0, Long.MAX_VALUE, null, false);
    var lines = CommandResult.dump(whole(), choice, false).lines().toList();
    return IntStream.range(0, (int) last)
        .filter(batch -> lines.get(batch).contains("\"QueueDeleted\""))
        .toArray();
  }

  private void flip(int... batches) throws IOException {
    for (var batch : batches) {
      CommandResult.flip(CommandResult.onlySegment(whole()), offsets.get(batch) + 30);
    }
  }

  @Test
  @Rule({"I-11", "I-01"})
  void oneIsLost() throws IOException {
    for (var lost = 0; lost < last; lost++) {
      repairWithout(lost);
    }
  }

  /** What is below a path goes with it, as what says so is lost. */
  @Test
  @Rule("I-11")
  void thePlanSaysOfWhatIsMadeAgainThatTheOneBeforeIsGone() throws IOException {
    var deleted = deletions();
    flip(deleted);

    var result = CommandResult.repair(whole(), root.resolve("repaired"), "--accept-loss");

    assertThat(result.out())
        .contains("carts (deleted): ", "events (deleted): ", "events/Subscriptions/7 (deleted): ")
        .doesNotContain("(deleted) (deleted)")
        .containsOnlyOnce("saved     carts: ")
        .containsOnlyOnce("saved     events: ")
        .contains("saved     events/Subscriptions/other: 0 kept");
  }

  /** One of the two had replaced the other, with all that it held. */
  @Test
  @Rule("I-11")
  void whatIsMadeAgainTakesNoPathThatAnotherHas() throws IOException {
    var folder = root.resolve("named");
    try (var log = DataFolder.open(folder)) {
      var named = QueueDefinition.named("Recovered-1");
      log.send(10).with(new Fact.QueueCreated(CARTS, DataFolder.DEAD_CARTS, named, 0));
      log.send(10);
    }
    CommandResult.flip(CommandResult.onlySegment(folder), CommandResult.offset(folder, 1) + 30);

    var result = CommandResult.repair(folder, root.resolve("repaired"), "--accept-loss");

    assertThat(result.code()).as("%s", result).isZero();
    assertThat(result.out())
        .contains("saved     recovered-1-2: 2 kept", "saved     Recovered-1: 0 kept")
        .contains("holds     recovered-1-2: 2 active", "holds     Recovered-1: 0 active");
  }

  @Test
  @Rule({"I-11", "I-01"})
  void someAreLost() throws IOException {
    var random = new Random(11);
    for (var i = 0; i < 200; i++) {
      var lost = random.ints(0, (int) last).distinct().limit(2 + random.nextInt(5)).toArray();
      repairWithout(lost);
    }
  }
}
