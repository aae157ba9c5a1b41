package io.peeklock.store;

import static io.peeklock.store.DataFolder.CARTS;
import static io.peeklock.store.DataFolder.EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A topic, or a subscription, that was made in a batch that is lost, and of which others tell. */
class LostTopicTest {
  private static final long TIME = 1_790_000_000_000L;
  private static final int CARTS_MADE = 2;
  private static final int TOPIC_MADE = 3;
  private static final int MAIL_MADE = 5;

  @TempDir Path root;

  private Path folder() {
    return root.resolve("data");
  }

  private Path repaired() {
    return root.resolve("repaired");
  }

  /** Repairs it without these batches, and looks whether the new folder is well. */
  private String repairWithout(int... batches) throws IOException {
    var places = new ArrayList<Long>(); // a batch that is damaged is not found any more
    for (var batch : batches) {
      places.add(CommandResult.offset(folder(), batch) + 30);
    }
    for (var place : places) {
      CommandResult.flip(CommandResult.onlySegment(folder()), place);
    }
    var result = CommandResult.repair(folder(), repaired(), "--accept-loss");
    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(CommandResult.by("verify", repaired()).out()).contains("all is well");
    return result.out();
  }

  private List<EntityFact.QueueRestored> queues() throws IOException {
    try (var store = StoreFolder.take(repaired())) {
      return DataFolder.queuesOf(store.dryRun().machine());
    }
  }

  private EntityFact.QueueRestored queue(String path) throws IOException {
    return queues().stream()
        .filter(each -> each.entry().definition().path().equals(path))
        .findFirst()
        .orElseThrow();
  }

  private void assertTopic(int number) throws IOException {
    var topic = queue("events");
    assertThat(topic.queue().number()).isEqualTo(number);
    assertThat(topic.entry().definition().role()).isInstanceOf(QueueRole.Topic.class);
  }

  private static Fact.Scheduled scheduled(DataFolder log, QueueId queue) {
    var bodyId = log.machine().nextBodyId();
    var one = new int[] {10};
    var due = new long[] {1_790_000_900_000L};
    return new Fact.Scheduled(queue, 1, bodyId, TIME, one, new int[1], due, null, null, null);
  }

  @Test
  @Rule({"I-11", "S-053"})
  void aTopicHasTheNumberThatItsMessagesShow() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().sendTo("a", 50).topic().publish(10, 20).completeAudited(1);
    }

    var plan = repairWithout(CARTS_MADE, TOPIC_MADE + 1);

    assertTopic(5);
    assertThat(plan)
        .contains("saved     recovered-3: 1 kept")
        .contains("saved     events: 0 kept", "saved     events/Subscriptions/7: 1 kept")
        .contains("holds     events/Subscriptions/9: 2 active");
  }

  @Test
  @Rule({"I-11", "S-053"})
  void aTopicThatNoFactNamesHasTheOnlyNumberThatIsLeft() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().send(10);
    }

    var plan = repairWithout(TOPIC_MADE);

    assertTopic(5);
    assertThat(plan).contains("saved     events/Subscriptions/9: 0 kept", "saved     orders: 1");
    try (var log = DataFolder.open(repaired())) {
      log.send(10);
    }
  }

  @Test
  @Rule({"I-11", "S-148"})
  void whatIsScheduledStaysInATopicWhoseNumberIsTheOnlyOneThatIsLeft() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic();
      log.with(scheduled(log, EVENTS), 10);
    }

    var plan = repairWithout(TOPIC_MADE);

    assertTopic(5);
    assertThat(plan).contains("saved     events: 1 kept", "events: 0 active, 1 scheduled");
  }

  @Test
  @Rule({"I-11", "S-053"})
  void ofTwoNumbersATopicHasTheOneThatNothingElseIsKnownToHave() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts();
      log.with(scheduled(log, CARTS), 10).topic();
    }

    var plan = repairWithout(CARTS_MADE, TOPIC_MADE + 1);

    assertTopic(5);
    assertThat(plan).contains("saved     recovered-3: 1 kept", "saved     events: 0 kept");
  }

  @Test
  @Rule({"I-11", "S-148"})
  void aQueueThatGotMessagesIsNoTopic() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().sendTo("a", 50).topic();
      log.with(scheduled(log, EVENTS), 10);
    }

    var plan = repairWithout(CARTS_MADE, TOPIC_MADE + 1);

    assertTopic(5);
    assertThat(plan).contains("saved     recovered-3: 1 kept", "saved     events: 1 kept");
  }

  @Test
  @Rule({"I-11", "S-148"})
  void whereEachNumberMayBeAnothersATopicHasANewOneAndAllThatIsIntactStays() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts();
      log.with(scheduled(log, CARTS), 10).topic();
      log.with(scheduled(log, EVENTS), 10);
    }

    var plan = repairWithout(CARTS_MADE, TOPIC_MADE + 1);

    assertTopic(11);
    assertThat(plan)
        .contains("saved     recovered-3: 1 kept", "saved     recovered-5: 1 kept")
        .contains("saved     events/Subscriptions/7: 0 kept");
  }

  @Test
  @Rule({"I-11", "S-053"})
  void aSubscriptionThatOnlyItsMessagesShowIsBelowItsTopic() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().publish(10, 20);
    }

    var plan = repairWithout(MAIL_MADE);

    assertThat(plan)
        .contains("LOSS      events/Subscriptions/recovered-9: 2 kept, and the rules that it had");
    assertThat(queue("events/Subscriptions/recovered-9").entry().definition().role())
        .isEqualTo(new QueueRole.Subscription("events", true));
  }

  @Test
  @Rule({"I-11", "S-053"})
  void allThatATopicFeedsIsBelowItWhereOneOfThemTellsItsPath() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().publish(10, 20);
    }

    var plan = repairWithout(TOPIC_MADE, MAIL_MADE);

    assertTopic(5);
    assertThat(plan)
        .contains("saved     events/Subscriptions/7: 2 kept")
        .contains("LOSS      events/Subscriptions/recovered-9: 2 kept");
  }

  @Test
  @Rule({"I-11", "S-053"})
  void allThatATopicFeedsIsBelowItWhereNobodyTellsItsPath() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().publish(10, 20);
    }

    var plan = repairWithout(TOPIC_MADE, TOPIC_MADE + 1, MAIL_MADE);

    assertThat(plan)
        .contains("saved     recovered-5: 0 kept")
        .contains("LOSS      recovered-5/Subscriptions/recovered-7: 2 kept")
        .contains("LOSS      recovered-5/Subscriptions/recovered-9: 2 kept");
  }

  @Test
  @Rule({"I-11", "S-053"})
  void aSubscriptionThatOnlyItsMessagesShowHasTheirSessions() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic();
      var sessions = new String[] {"a"};
      var copies = new Copies[] {new Copies(DataFolder.MAIL, 1, null, null, sessions, null)};
      var bodyId = log.machine().nextBodyId();
      var one = new int[] {10};
      log.with(new Fact.Published(EVENTS, 1, bodyId, TIME, one, new int[1], null, copies), 10);
    }

    repairWithout(MAIL_MADE);

    var mail = queue("events/Subscriptions/recovered-9").entry().definition();
    assertThat(mail.requiresSession()).isTrue();
  }

  /** The one before it was deleted, and says nothing of it. */
  @Test
  @Rule({"I-11", "S-053"})
  void aTopicThatFollowedAnotherIsMadeToo() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic();
      for (var id : List.of(EVENTS, DataFolder.AUDIT, DataFolder.MAIL)) {
        log.with(new EntityFact.QueueDeleted(id));
      }
      log.with(made(11, QueueDefinition.named("events").as(new QueueRole.Topic(false))));
      var path = "events/Subscriptions/new";
      log.with(
          made(13, QueueDefinition.named(path).as(new QueueRole.Subscription("events", true))));
    }

    var plan = repairWithout(10);

    assertTopic(11);
    assertThat(plan).contains("saved     events/Subscriptions/new: 0 kept");
  }

  /** The one before it is there as far as is known: that it was deleted is lost too. */
  @Test
  @Rule({"I-11", "S-053"})
  void aTopicThatFollowedOneOfWhichNobodyTellsThatItWasDeletedIsMadeToo() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic().publish(10, 20);
      for (var id : List.of(EVENTS, DataFolder.AUDIT, DataFolder.MAIL)) {
        log.with(new EntityFact.QueueDeleted(id));
      }
      log.with(made(11, QueueDefinition.named("events").as(new QueueRole.Topic(false))));
      var path = "events/Subscriptions/new";
      log.with(
          made(13, QueueDefinition.named(path).as(new QueueRole.Subscription("events", true))));
      var copies = new Copies[] {new Copies(new QueueId(13), 1, null, null, null, null)};
      var one = new int[] {10};
      var bodyId = log.machine().nextBodyId();
      log.with(
          new Fact.Published(new QueueId(11), 1, bodyId, TIME, one, new int[1], null, copies), 10);
    }

    var plan = repairWithout(8, 11);

    assertTopic(11);
    assertThat(plan)
        .contains("saved     events/Subscriptions/new: 1 kept")
        .contains("holds     events/Subscriptions/new: 1 active")
        .doesNotContain("recovered-");
  }

  private static Fact made(int number, QueueDefinition definition) {
    return new Fact.QueueCreated(new QueueId(number), new QueueId(number + 1), definition, 0);
  }

  @Test
  @Rule({"I-11", "S-053"})
  void aTopicThatWasChangedLaterIsWhatItWasChangedTo() throws IOException {
    try (var log = DataFolder.open(folder())) {
      log.carts().topic();
      var changed = queueOf(log.machine()).withDuplicateWindow(300_000);
      log.with(new EntityFact.QueueUpdated(EVENTS, changed, TIME));
    }

    repairWithout(TOPIC_MADE);

    assertTopic(5);
    assertThat(queue("events").entry().definition().duplicateWindowMillis()).isEqualTo(300_000);
  }

  private static QueueDefinition queueOf(Machine machine) {
    return DataFolder.queuesOf(machine).stream()
        .filter(each -> each.queue().equals(EVENTS))
        .findFirst()
        .orElseThrow()
        .entry()
        .definition();
  }

  /** A queue had the path of the topic before, and that it was deleted is lost too. */
  @Test
  @Rule({"I-11", "S-053"})
  void aQueueThatHadItsPathBeforeIsNoTopic() throws IOException {
    var queue = QueueDefinition.named("events");
    var before = new QueueId(3);
    try (var log = DataFolder.open(folder())) {
      log.with(made(3, queue));
      log.with(new EntityFact.QueueDeleted(before)).topic().publish(10);
    }

    var plan = repairWithout(TOPIC_MADE, TOPIC_MADE + 1);

    assertThat(plan).contains("saved     events/Subscriptions/7: 1 kept");
  }
}
