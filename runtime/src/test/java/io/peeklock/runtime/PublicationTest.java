package io.peeklock.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.proof.Rule;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What edges see of entities, and when. */
class PublicationTest {
  private final Publication publication = new Publication();
  private final Machine machine = new Machine();

  private static Fact made(int number, String path) {
    return new Fact.QueueCreated(
        new QueueId(number), new QueueId(number + 1), QueueDefinition.named(path), number);
  }

  private Catalogue.Entry shown() {
    return Objects.requireNonNull(publication.current().queue("A"));
  }

  @Test
  @Rule("I-37")
  void whatIsDurableShowsAtOnceAlthoughMoreIsOnItsWay() {
    publication.note(made(1, "a"), 5, machine);
    publication.note(made(3, "b"), 6, machine);
    assertThat(publication.current().queues()).isEmpty();

    publication.open(5);

    assertThat(publication.current().queues()).containsOnlyKeys("a");
    publication.open(6);
    assertThat(publication.current().queues()).containsOnlyKeys("a", "b");
  }

  @Test
  @Rule("I-37")
  void updatesAndDeletionsWaitForTheirTurnToo() {
    publication.note(made(1, "A"), 1, machine);
    var next = QueueDefinition.named("A").with().maxDeliveryCount(7).build();
    publication.note(new EntityFact.QueueUpdated(new QueueId(1), next, 9), 2, machine);
    publication.note(new EntityFact.QueueDeleted(new QueueId(1)), 3, machine);
    publication.note(made(5, "a"), 3, machine);

    publication.open(1);
    assertThat(shown().definition().maxDeliveryCount()).isEqualTo(10);
    publication.open(2);
    assertThat(shown().definition().maxDeliveryCount()).isEqualTo(7);
    assertThat(shown().updatedAtMillis()).isEqualTo(9);
    publication.open(3);
    assertThat(shown().queue()).isEqualTo(new QueueId(5));
  }

  @Test
  @Rule("I-37")
  void anEntityThatIsMadeAgainTakesThePlaceOfTheOneBefore() {
    var number = new QueueId(5);
    publication.note(made(1, "A"), 1, machine);
    publication.note(
        new EntityFact.QueueMadeAgain(
            new QueueId(1), number, new QueueId(6), QueueDefinition.named("A"), 7),
        2,
        machine);

    publication.open(1);
    assertThat(shown().queue()).isEqualTo(new QueueId(1));
    publication.open(2);
    assertThat(shown().queue()).isEqualTo(number);
    assertThat(shown().createdAtMillis()).isEqualTo(7);
  }

  @Test
  void oneEntityMoreLeavesWhatIsShownOfTheOthersWhereItIs() {
    var many = 10_000;
    for (var i = 0; i < many; i++) {
      publication.note(made(1 + 2 * i, "queue-" + i), 1, machine);
    }
    publication.open(1);
    var before = (EntriesByPath) publication.current().queues();

    publication.note(made(1 + 2 * many, "one more"), 2, machine);
    publication.note(new EntityFact.QueueDeleted(new QueueId(1)), 2, machine);
    publication.open(2);

    var after = (EntriesByPath) publication.current().queues();
    assertThat(after.notSharedWith(before)).isLessThan(4 * many / EntriesByPath.PARTS);
    assertThat(before).hasSize(many).containsKey("queue-0").doesNotContainKey("one more");
    assertThat(after).hasSize(many).doesNotContainKey("queue-0").containsKey("one more");
    assertThat(after.entrySet()).hasSize(many);
    assertThat(after.keySet()).contains("one more").doesNotContain("queue-0");
    assertThat(after.get(null)).isNull();
  }
}
