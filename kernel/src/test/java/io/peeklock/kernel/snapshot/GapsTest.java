package io.peeklock.kernel.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.Invariant.BrokenInvariant;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueEntry;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.proof.Rule;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Facts of a damaged log, of which some are missing: what is left is taken in as far as it can. */
class GapsTest {
  private static final QueueId ORDERS = new QueueId(1);
  private static final QueueId DEAD_ORDERS = new QueueId(2);
  private static final QueueDefinition DEFINITION = QueueDefinition.named("orders");

  private final Machine machine = new Machine();

  @BeforeEach
  void begin() {
    apply(new Fact.QueueCreated(ORDERS, DEAD_ORDERS, DEFINITION, 0), enqueued(1, 1, 2));
  }

  private void apply(Fact... facts) {
    for (var fact : facts) {
      machine.apply(1, fact);
    }
  }

  private static Fact enqueued(long number, long bodyId, int count) {
    return new Fact.Enqueued(ORDERS, number, bodyId, 1_000, new int[count], new int[count], null);
  }

  private static Fact scheduled(long number, long bodyId) {
    return new Fact.Scheduled(
        ORDERS,
        number,
        bodyId,
        1_000,
        new int[1],
        new int[1],
        new long[] {2_000},
        null,
        null,
        null);
  }

  private static Fact completed(long... numbers) {
    return new Fact.Completed(ORDERS, numbers);
  }

  @Test
  @Rule("I-12")
  void withoutAWordAboutGapsNoneIsTaken() {
    for (var fact :
        List.of(
            enqueued(5, 3, 1),
            enqueued(3, 9, 1),
            enqueued(1, 3, 1),
            completed(7),
            new Fact.Abandoned(ORDERS, new long[] {1}, new Fact.StoredOverlay(9, 5)),
            new Fact.QueueCreated(new QueueId(5), new QueueId(6), QueueDefinition.named("b"), 0),
            scheduled(4, 3),
            scheduled(3, 9),
            new Fact.Cancelled(ORDERS, new long[] {7}),
            new Fact.Activated(ORDERS, new long[] {7}, 3, 2_000),
            new Fact.Activated(ORDERS, new long[0], 4, 2_000),
            new Fact.NamespaceDescribed(3, 9))) {
      var strict = new Machine();
      strict.apply(1, new Fact.QueueCreated(ORDERS, DEAD_ORDERS, DEFINITION, 0));
      strict.apply(1, enqueued(1, 1, 2));

      assertThatThrownBy(() -> strict.apply(2, fact)).isInstanceOf(BrokenInvariant.class);
    }
  }

  @Test
  @Rule({"I-01", "I-12"})
  void countersGoOnWhereTheNextFactHasThem() {
    machine.expectGaps();

    apply(enqueued(5, 13, 1), completed(4, 2));

    assertThat(machine.counts(ORDERS).active()).isEqualTo(2);
    assertThat(machine.nextBodyId()).isEqualTo(14);
    assertThat(machine.takeDeadBodies()).containsExactly(2);
    apply(enqueued(6, 14, 1));
    assertThat(machine.counts(ORDERS).active()).isEqualTo(3);
  }

  @Test
  void factsAboutMessagesThatNobodyKnowsArePassedOver() {
    machine.expectGaps();

    apply(
        completed(9),
        new Fact.Consumed(ORDERS, new long[] {9}),
        new Fact.Abandoned(ORDERS, new long[] {9}, new Fact.StoredOverlay(7, 5)),
        new Fact.Deferred(ORDERS, new long[] {9, 1}, null),
        new Fact.LockLapsed(ORDERS, new long[] {9}),
        new Fact.DeadLettered(
            ORDERS, DEAD_ORDERS, new long[] {9, 2}, DeadLetterCause.RECEIVER, false, null));

    assertThat(machine.counts(ORDERS).deferred()).isEqualTo(1);
    assertThat(machine.counts(ORDERS).deadLetters()).isEqualTo(1);
    assertThat(machine.takeDeadBodies()).as("their properties are dead").containsExactly(7);
    assertThat(machine.nextBodyId()).isEqualTo(8);
  }

  @Test
  void queuesThatAreMadeLaterAreTakenIn() {
    machine.expectGaps();

    apply(
        new EntityFact.QueueRestored(
            new QueueEntry(new QueueId(5), new QueueId(6), QueueDefinition.named("b"), 0, 0),
            3,
            false),
        new Fact.QueueCreated(new QueueId(9), new QueueId(10), QueueDefinition.named("c"), 0));

    assertThat(machine.queues()).hasSize(3);
    assertThat(machine.beginSnapshot().next())
        .contains(
            new Fact.NamespaceDescribed(11, 3),
            new EntityFact.QueueRestored(
                new QueueEntry(new QueueId(5), new QueueId(6), QueueDefinition.named("b"), 0, 0),
                3,
                false));
  }

  @Test
  @Rule({"I-01", "I-12"})
  void scheduledMessagesGoOnToo() {
    machine.expectGaps();

    apply(
        scheduled(5, 9),
        new Fact.Cancelled(ORDERS, new long[] {4}),
        new Fact.Activated(ORDERS, new long[] {3, 5}, 8, 2_000));

    assertThat(machine.counts(ORDERS).scheduled()).isZero();
    assertThat(machine.counts(ORDERS).active()).isEqualTo(3);
    assertThat(machine.nextBodyId()).isEqualTo(10);
    apply(completed(8), completed(9));
    assertThat(machine.takeDeadBodies()).as("the first of them is lost").containsExactly(9);
    apply(enqueued(10, 10, 1));
    assertThat(machine.counts(ORDERS).active()).isEqualTo(3);
  }

  @Test
  void statesOfSessionsGoOnToo() {
    var carts = new QueueId(3);
    apply(
        new Fact.QueueCreated(
            carts, new QueueId(4), QueueDefinition.named("carts").withSession(true), 0));
    var set = new Fact.SessionStateSet(carts, "a", 9, 5, 1_000);
    assertThatThrownBy(() -> apply(set)).isInstanceOf(BrokenInvariant.class);
    machine.expectGaps();

    apply(set, new Fact.SessionStateSet(carts, "a", 12, 5, 1_000));

    assertThat(machine.nextBodyId()).isEqualTo(13);
    assertThat(machine.takeDeadBodies()).containsExactly(9);
  }

  @Test
  @Rule("I-12")
  void aNumberIsUsedOnceAllTheSame() {
    machine.expectGaps();

    assertThatThrownBy(() -> apply(enqueued(2, 3, 1))).isInstanceOf(BrokenInvariant.class);
    assertThatThrownBy(() -> apply(scheduled(2, 3))).isInstanceOf(BrokenInvariant.class);
    assertThatThrownBy(() -> apply(new Fact.Activated(ORDERS, new long[] {1}, 2, 2_000)))
        .isInstanceOf(BrokenInvariant.class);
    assertThatThrownBy(
            () ->
                apply(
                    new EntityFact.QueueRestored(
                        new QueueEntry(ORDERS, DEAD_ORDERS, DEFINITION, 0, 0), 3, false)))
        .isInstanceOf(BrokenInvariant.class);
  }
}
