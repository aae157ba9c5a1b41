package io.peeklock.kernel.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.machine.Machine;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.ShardFixture.Asker;
import io.peeklock.kernel.machine.ShardFixture.Note;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.machine.TopicFixture.Message;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Subscriptions with many rules that are deleted, or made again. */
class LeavingRulesTest {

  private static final int MANY = 2_000;

  @RegisterExtension final ShardFixture shard = new ShardFixture();
  private TopicFixture topic = TopicFixture.of(new ShardFixture());

  @BeforeEach
  void begin() {
    shard.checkEveryStep = false;
    topic = TopicFixture.of(shard);
  }

  private static io.peeklock.kernel.entity.Rule colour(int number) {
    Parsed<CorrelationFilter> filter =
        CorrelationFilter.of(Map.of(), Map.of("colour", FilterValue.of("c" + number)));
    return switch (filter) {
      case Parsed.Done<CorrelationFilter> done ->
          new io.peeklock.kernel.entity.Rule("r" + number, done.value(), null, 0);
      case Parsed.Wrong<CorrelationFilter> wrong ->
          throw new AssertionError(wrong.problem().toString());
    };
  }

  private static io.peeklock.kernel.entity.Rule[] colours() {
    List<io.peeklock.kernel.entity.Rule> some = new ArrayList<>();
    for (int number = 0; number < MANY; number++) {
      some.add(colour(number));
    }
    return some.toArray(io.peeklock.kernel.entity.Rule[]::new);
  }

  private TopicRules<SubscriptionState> rules() {
    QueueState events = Objects.requireNonNull(shard.machine.state().queue("events"));
    return Objects.requireNonNull(events.topic()).rules();
  }

  private Decision delete(String path) {
    return shard.ask(new EntityRequest.DeleteQueue(new Asker(), new Note(), path));
  }

  private Decision empty(boolean keepsEntities) {
    return shard.ask(new EntityRequest.EmptyNamespace(new Asker(), new Note(), keepsEntities));
  }

  private QueueFixture present(String name) {
    QueueState queue =
        Objects.requireNonNull(shard.machine.state().queue("events/Subscriptions/" + name));
    return new QueueFixture(shard, queue.id(), queue.deadLetters().id());
  }

  @Test
  @Rule({"S-071", "I-47"})
  void aSubscriptionGoesInOneStepAndItsRulesInSlices() {
    QueueFixture other = topic.subscription("other", colour(7));
    long before = shard.machine.stored().rules();
    topic.subscription("many", colours());

    assertThat(delete("events/Subscriptions/many").facts()).hasSize(1);

    assertThat(rules().size()).as("they are still there").isEqualTo(MANY + 1);
    assertThat(rules().tally().rules()).as("and count no more").isEqualTo(1);
    assertThat(shard.machine.stored().rules()).as("but for the heap").isGreaterThan(before);
    topic.send(Message.having("colour", "c7"), Message.having("colour", "c8"));
    assertThat(other.counts().active()).as("they select for nobody").isEqualTo(1);
    int slices = 0;
    while (shard.machine.nextTickMillis(shard.stamp()) == 0) {
      int left = rules().size();
      shard.take(shard.machine.tick(shard.stamp(), null));
      assertThat(left - rules().size()).isBetween(1, 500);
      slices++;
    }
    assertThat(slices).isGreaterThan(3);
    assertThat(rules().size()).isEqualTo(1);
    assertThat(shard.machine.stored().rules())
        .as("with the places of the table that they were in")
        .isBetween(before, before + 10L * MANY);
    topic.send(Message.having("colour", "c7"));
    assertThat(other.counts().active()).isEqualTo(2);
  }

  @Test
  @Rule({"S-071", "S-195", "I-47"})
  void theyNeitherFailNorChangeNorAreLookedAtOnceTheyHaveLeft() {
    List<io.peeklock.kernel.entity.Rule> some = new ArrayList<>();
    for (int number = 0; number < 2 * LeavingRules.FEW; number++) {
      some.add(TopicFixture.rule("fails" + number, "colour > 3 AND n" + number + " > 0"));
      some.add(TopicFixture.rule("changes" + number, "1=1", "SET colour = 'x'"));
    }
    QueueFixture all = topic.subscription("all");
    QueueFixture choosy = topic.subscription("choosy", colour(7));
    topic.subscription("many", some.toArray(io.peeklock.kernel.entity.Rule[]::new));

    delete("events/Subscriptions/many");
    topic.send(Message.having("colour", "red"));

    assertThat(all.counts().active()).isEqualTo(1);
    assertThat(topic.overlays(all)).containsExactly("");
    topic.remove(choosy, "r7");
    assertThat(rules().size()).isGreaterThan(2);
    TopicState state = Objects.requireNonNull(shard.machine.state().known(topic.topic.id).topic());
    assertThat(state.looksAtMessages()).isFalse();
  }

  @Test
  @Rule({"S-071", "S-365"})
  void whatIsStillToBeLetGoIsNotCountedAgainstTheTopicsLimit() {
    shard.machine.limit(new NamespaceLimits(9, 9, MANY, MANY, false));
    topic.subscription("many", colours());
    QueueFixture other = topic.subscription("other", new io.peeklock.kernel.entity.Rule[] {});
    assertThat(topic.add(other, colour(1)).refusal()).isNotNull();

    delete("events/Subscriptions/many");

    assertThat(rules().size()).isGreaterThan(MANY);
    assertThat(topic.add(other, colour(1)).refusal()).isNull();
  }

  @Test
  @Rule({"S-071", "I-46"})
  void rulesThatComeMakeRoomSoThatNoReplayHoldsMoreThanThereEverWere() {
    for (int round = 0; round < 5; round++) {
      topic.subscription("many", colours());
      delete("events/Subscriptions/many");
    }

    Machine again = shard.replayed();

    QueueState events = Objects.requireNonNull(again.state().queue("events"));
    assertThat(Objects.requireNonNull(events.topic()).rules().size()).isEqualTo(MANY);
    assertThat(again.nextTickMillis(shard.stamp())).as("and goes on with it").isZero();
  }

  @Test
  @Rule({"S-071", "I-46"})
  void whatIsStillToBeLetGoGoesWithTheTopicAtOnce() {
    topic.subscription("many", colours());
    delete("events/Subscriptions/many");

    delete("events");

    assertThat(shard.machine.stored().rules()).isZero();
    shard.take(shard.machine.tick(shard.stamp(), null));
    assertThat(shard.machine.nextTickMillis(shard.stamp())).isEqualTo(Long.MAX_VALUE);
    assertThat(shard.machine.stored().rules()).isZero();
  }

  @Test
  @Rule({"S-071", "S-321", "I-47"})
  void aNamespaceThatKeepsItsEntitiesIsEmptiedWithoutTouchingARule() {
    topic.subscription("gone", colours());
    QueueFixture many = topic.subscription("many", colours());
    topic.subscription("all");
    topic.send(Message.having("colour", "c7"));
    delete("events/Subscriptions/gone");
    long bytes = shard.machine.stored().rules();
    List<String> before = topic.rules(many);

    Decision decision = empty(true);

    assertThat(decision.facts()).hasSize(3).hasOnlyElementsOfType(EntityFact.QueueMadeAgain.class);
    assertThat(shard.machine.stored().rules()).isEqualTo(bytes);
    QueueFixture now = present("many");
    assertThat(now.id).isNotEqualTo(many.id);
    assertThat(topic.rules(now)).isEqualTo(before);
    shard.advance(Duration.ZERO);
    assertThat(rules().size()).as("those that had left before").isEqualTo(MANY + 1);
    assertThat(shard.machine.stored().rules()).isLessThan(bytes);
    assertThat(now.counts().active()).isZero();
    send("c7", "c8");
    assertThat(now.counts().active()).isEqualTo(2);
    assertThat(present("all").counts().active()).isEqualTo(2);
    delete("events/Subscriptions/many");
    shard.advance(Duration.ZERO);
    assertThat(rules().size()).isEqualTo(1);
  }

  /** To the topic as it is now. */
  private void send(String... colours) {
    for (String each : colours) {
      QueueId id = Objects.requireNonNull(shard.machine.state().queue("events")).id();
      shard.ask(
          new io.peeklock.kernel.request.Request.Send(
              new Asker(),
              new Note(),
              id,
              new io.peeklock.kernel.request.SendBurst(
                  1,
                  new int[] {10},
                  new int[] {1},
                  new long[] {QueueDefinition.FOREVER},
                  null,
                  new long[2],
                  null,
                  message -> Message.having("colour", each)),
              false));
    }
  }

  @Test
  @Rule({"S-071", "I-01"})
  void whereTheEntityBeforeIsMissingTheOneInItsPlaceIsMadeWithoutRules() {
    Machine repaired = new Machine();
    repaired.expectGaps();
    topic.subscription("some", colour(7));
    empty(true);

    for (ShardFixture.Logged logged : shard.log) {
      if (logged.fact() instanceof EntityFact.QueueMadeAgain) {
        repaired.apply(logged.index(), logged.fact());
      }
    }

    assertThat(repaired.queues()).isEqualTo(shard.machine.queues());
    QueueState some = Objects.requireNonNull(repaired.state().queue("events/Subscriptions/some"));
    assertThat(Objects.requireNonNull(some.subscription()).rules()).isEmpty();
    repaired.apply(
        9,
        new Fact.RuleAdded(
            some.id(), new io.peeklock.kernel.entity.Rule("r", new Filter.True(), null, 0)));
    assertThat(repaired.rules(Objects.requireNonNull(repaired.state().queue("events")).id()))
        .isEqualTo(1);
  }
}
