package io.peeklock.kernel.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalTableTest {
  private static final List<Refusal> ALL =
      List.of(
          new Refusal.MessageLockLost(),
          new Refusal.MessageNotFound(7),
          new Refusal.ScheduledMessagesNotFound(new long[] {1, 2}),
          new Refusal.SessionLockLost(),
          new Refusal.SessionCannotBeLocked("session"),
          new Refusal.TooManySessionStates(5),
          new Refusal.Timeout(),
          new Refusal.SessionIdMissing(),
          new Refusal.EntityNotFound(),
          new Refusal.EntityAlreadyExists("orders", "MaxSize is 1, not 2"),
          new Refusal.ForwardDestinationNotFound("other"),
          new Refusal.EntityDisabled(),
          new Refusal.PropertyFixed("RequiresSession"),
          new Refusal.PartitionKeyContradicts(),
          new Refusal.PartitionKeysDiffer(),
          new Refusal.PartitionKeyMissing(),
          new Refusal.NotOnPartitioned(),
          new Refusal.RuleAlreadyExists("rule"),
          new Refusal.RuleNotFound("rule"),
          new Refusal.NoMatchingSubscription(),
          new Refusal.TooManyCopies(true),
          new Refusal.TooManyCopies(false),
          new Refusal.EarlierIdsAreWaiting(),
          new Refusal.TooManyScheduledAtOnce(10),
          new Refusal.QuotaExceeded(10, 10),
          new Refusal.AnswerTooLarge(10, 5),
          new Refusal.TooManyLocked(3),
          new Refusal.MessagesAreForwarded("other"),
          new Refusal.TooMany("topics", 2),
          new Refusal.FeatureNotAvailable("topics"),
          new Refusal.AlreadyDeadLettered(),
          new Refusal.MemoryShareExceeded(true, 10, 5),
          new Refusal.StoreFull(),
          new Refusal.NotLeading());

  @Test
  void everyRefusalHasAKindAndASentenceWithoutAFullStop() {
    assertThat(ALL)
        .extracting(refusal -> (Object) refusal.getClass())
        .contains((Object[]) Refusal.class.getPermittedSubclasses());
    for (var refusal : ALL) {
      var row = RefusalTable.of(refusal, "orders");

      assertThat(row.sentence()).as(refusal.toString()).isNotBlank().doesNotEndWith(".");
    }
  }

  @Test
  void everyKindIsOfSomeRefusal() {
    assertThat(ALL)
        .extracting(refusal -> RefusalTable.of(refusal, "orders").kind())
        .contains(RefusalKind.values());
  }

  @Test
  void whatIsMissingIsTheSubject() {
    assertThat(RefusalTable.of(new Refusal.RuleNotFound("rule"), "topic/sub").subject())
        .isEqualTo("topic/sub/Rules/rule");
    assertThat(RefusalTable.of(new Refusal.ForwardDestinationNotFound("other"), "q").subject())
        .isEqualTo("other");
    assertThat(RefusalTable.of(new Refusal.EntityNotFound(), "q").subject()).isEqualTo("q");
  }
}
