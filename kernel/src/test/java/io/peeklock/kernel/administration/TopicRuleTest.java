package io.peeklock.kernel.administration;

import static io.peeklock.kernel.machine.TopicFixture.Message.having;
import static io.peeklock.kernel.machine.TopicFixture.Message.plain;
import static io.peeklock.kernel.machine.TopicFixture.rule;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.peeklock.kernel.Decision;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.filter.Filter;
import io.peeklock.kernel.machine.QueueFixture;
import io.peeklock.kernel.machine.QueueFixture.Outcome;
import io.peeklock.kernel.machine.QueueFixture.Received;
import io.peeklock.kernel.machine.ShardFixture;
import io.peeklock.kernel.machine.TopicFixture;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.proof.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which copies a subscription gets, and what they are, is up to its rules. */
class TopicRuleTest {

  @RegisterExtension final ShardFixture shard = new ShardFixture();

  @Test
  @Rule({"S-313", "S-314", "S-315", "S-316", "S-321", "S-323"})
  void rulesComeAndGoAndWhatIsSentLaterFeelsIt() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture audit = topic.subscription("audit");
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));
    QueueFixture none = topic.subscription("none", rule("never", "1=0"));
    assertThat(topic.rules(audit)).containsExactly("$Default");
    assertThat(topic.rules(red)).containsExactly("red");

    assertThat(topic.add(audit, rule("blue", "colour = 'blue'"))).isEqualTo(Outcome.DONE);
    topic.send(having("colour", "green"));
    assertThat(audit.peek()).as("the default goes on matching").hasSize(1);
    assertThat(topic.remove(audit, "$DEFAULT")).isEqualTo(Outcome.DONE);
    topic.send(having("colour", "green"), having("colour", "blue"));
    assertThat(audit.peek()).hasSize(2);
    topic.remove(audit, "blue");
    topic.send(having("colour", "blue"));

    assertThat(topic.rules(audit)).isEmpty();
    assertThat(audit.peek()).hasSize(2);
    assertThat(none.peek()).isEmpty();
    shard.restart();
    assertThat(topic.rules(red)).containsExactly("red");
    topic.send(having("colour", "red"));
    assertThat(red.peek()).hasSize(1);
  }

  @Test
  @Rule({"S-315", "S-321"})
  void aRuleIsReplacedInOneStepAndKeepsItsName() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture audit = topic.subscription("audit", rule("Red", "colour = 'red'"));
    shard.nowMillis += 5;

    Decision decision =
        shard.ask(
            new EntityRequest.ReplaceRule(
                new ShardFixture.Asker(),
                new ShardFixture.Note(),
                audit.id,
                rule("RED", "colour = 'blue'", "SET seen = 1")));
    topic.send(having("colour", "red"), having("colour", "blue"));

    assertThat(decision.facts()).hasSize(2);
    assertThat(topic.overlays(audit)).containsExactly("{RuleName=Red, colour=blue, seen=1}");
    assertThat(topic.rules(audit.id, 0, 5))
        .extracting(
            io.peeklock.kernel.entity.Rule::name, io.peeklock.kernel.entity.Rule::createdAtMillis)
        .containsExactly(tuple("Red", shard.nowMillis));
    shard.restart();
    topic.send(having("colour", "red"));
    assertThat(audit.peek()).hasSize(1);
  }

  @Test
  @Rule({"S-062", "S-317"})
  void onlyARuleThatIsThereIsReplaced() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture audit = topic.subscription("audit");

    assertThat(topic.replace(audit, rule("none", "1=1")).refusal())
        .isEqualTo(new Refusal.RuleNotFound("none"));
    assertThat(topic.replace(topic.topic, rule("none", "1=1")).refusal())
        .isEqualTo(new Refusal.EntityNotFound());
    assertThat(topic.rules(audit)).containsExactly("$Default");
  }

  @Test
  @Rule({"S-317", "S-324"})
  void ruleNamesAreUniqueAndListedInPages() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture audit = topic.subscription("audit", rule("a", "1=1"), rule("b", "1=1"));
    shard.nowMillis += 5;
    topic.add(audit, rule("c", "1=1"));

    assertThat(topic.add(audit, rule("A", "1=0")).refusal())
        .isEqualTo(new Refusal.RuleAlreadyExists("A"));
    assertThat(topic.remove(audit, "d").refusal()).isEqualTo(new Refusal.RuleNotFound("d"));
    assertThat(topic.rules(audit.id, 1, 1))
        .extracting(io.peeklock.kernel.entity.Rule::name)
        .containsExactly("b");
    assertThat(topic.rules(audit.id, 7, 5)).isEmpty();
    assertThat(topic.rules(audit.id, 2, 5))
        .extracting(io.peeklock.kernel.entity.Rule::createdAtMillis)
        .containsExactly(shard.nowMillis);
  }

  @Test
  @Rule("S-059")
  void aRulesNameHasFromOneToFiftyCharacters() {
    assertThatThrownBy(() -> rule("", "1=1")).hasMessageContaining("1 to 50");
    assertThatThrownBy(() -> rule("r".repeat(51), "1=1")).hasMessageContaining("got 51");
    assertThat(rule("r".repeat(50), "1=1").name()).hasSize(50);
  }

  @Test
  @Rule("S-324")
  void onlySubscriptionsHaveRules() {
    TopicFixture topic = TopicFixture.of(shard);
    for (QueueId id : List.of(topic.topic.id, new QueueId(77))) {
      assertThat(refused(new Request.AddRule(asker(), note(), id, rule("r", "1=1"))))
          .isEqualTo(new Refusal.EntityNotFound());
      assertThat(refused(new Request.RemoveRule(asker(), note(), id, "r")))
          .isEqualTo(new Refusal.EntityNotFound());
      assertThat(refused(new Request.ListRules(asker(), note(), id, RulePage.all())))
          .isEqualTo(new Refusal.EntityNotFound());
    }
  }

  private List<String> page(QueueFixture subscription, RulePage page) {
    Decision listed = shard.ask(new Request.ListRules(asker(), note(), subscription.id, page));
    return ShardFixture.only(listed, Effect.RulesListed.class).rules().stream()
        .map(io.peeklock.kernel.entity.Rule::name)
        .toList();
  }

  @Test
  @Rule("S-324")
  void rulesAreListedAsTheyCameOrByName() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture audit = topic.subscription("audit", rule("m", "1=1"));
    for (String name : List.of("B", "z", "a", "Q", "d")) {
      topic.add(audit, rule(name, "1=1"));
    }
    topic.remove(audit, "Z");
    topic.add(audit, rule("c", "1=1"));

    for (int start = 0; start < 2; start++) {
      assertThat(page(audit, RulePage.all())).containsExactly("m", "B", "a", "Q", "d", "c");
      assertThat(page(audit, RulePage.added(2, 3))).containsExactly("a", "Q", "d");
      assertThat(page(audit, RulePage.added(5, Integer.MAX_VALUE))).containsExactly("c");
      assertThat(page(audit, RulePage.added(Integer.MAX_VALUE, 1))).isEmpty();
      assertThat(page(audit, RulePage.named(0, 9))).containsExactly("a", "B", "c", "d", "m", "Q");
      assertThat(page(audit, RulePage.named(4, 1))).containsExactly("m");
      assertThat(page(audit, RulePage.of("q"))).containsExactly("Q");
      assertThat(page(audit, RulePage.of("e"))).as("the next").containsExactly("m");
      assertThat(page(audit, RulePage.of("r"))).isEmpty();
      shard.restart();
    }
    assertThatThrownBy(() -> RulePage.added(-1, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RulePage.added(0, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RulePage(false, "r", 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private @Nullable Refusal refused(Request request) {
    return ShardFixture.only(shard.ask(request), Effect.Refused.class).refusal();
  }

  private static ShardFixture.Asker asker() {
    return new ShardFixture.Asker();
  }

  private static ShardFixture.Note note() {
    return new ShardFixture.Note();
  }

  @Test
  @Rule({"S-318", "S-319", "S-320", "S-361", "I-35"})
  void rulesWithoutActionShareACopyAndEachWithOneHasItsOwn() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture five =
        topic.subscription(
            "five",
            rule("a", "1=1"),
            rule("b", "colour = 'red'"),
            rule("c", "colour <> 'blue'"),
            rule("d", "1=1", "SET price = 7"),
            rule("e", "colour = 'red'", "REMOVE colour"),
            rule("f", "colour = 'blue'", "REMOVE colour"));
    QueueFixture other = topic.subscription("other");

    Decision decision = topic.send(having("colour", "red"));

    assertThat(five.peek()).hasSize(3);
    assertThat(five.peek()).extracting(Received::bodyId).containsOnly(1L);
    assertThat(topic.overlays(five))
        .containsExactly("", "{RuleName=d, colour=red, price=7}", "{RuleName=e}");
    assertThat(topic.overlays(other)).containsExactly("");
    assertThat(decision.made()).hasSize(2);
    five.receiveAndDelete(3);
    assertThat(shard.deadBodies).containsExactly(2L, 3L);
  }

  @Test
  @Rule({"S-319", "S-280"})
  void actionsMayMoveACopyToAnotherSessionAndLetItLiveShorter() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture sessions =
        topic.subscription(
            QueueDefinition.named("sessions").withSession(true),
            rule("r", "1=1", "SET sys.SessionId = 'z'; SET sys.TimeToLive = sys.TimeToLive"));

    topic.send(plain().in("a"), plain());

    assertThat(sessions.accepts("z", ofSeconds(1)).wants(5).gets()).hasSize(2);
  }

  @Test
  @Rule({"S-193", "S-319"})
  void aChangedCopyWithoutTheSessionThatItNeedsIsADeadLetterWithItsChanges() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture sessions =
        topic.subscription(
            QueueDefinition.named("sessions").withSession(true), rule("r", "1=1", "SET a = 1"));

    topic.send(plain());

    assertThat(sessions.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.SESSION_ID_MISSING);
    assertThat(topic.overlays(sessions.deadLetters()).getFirst()).contains("a=1");
  }

  @Test
  @Rule({"S-195", "S-196"})
  void aRuleThatFailsIsADeadLetterOrNothingAndOthersDoNotFeelIt() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture strict = topic.subscription("strict", rule("r", "1 / (price - price) > 3"));
    QueueFixture lax =
        topic.subscription(
            QueueDefinition.named("lax"), false, rule("r", "1 / (price - price) > 3"));
    QueueFixture acting =
        topic.subscription("acting", rule("r", "1=1", "SET a = 1 / (price - price)"));
    QueueFixture all = topic.subscription("all");

    topic.send(having("price", 7L));

    assertThat(strict.peek()).isEmpty();
    assertThat(strict.deadLetters().peek())
        .extracting(Received::cause)
        .containsExactly(DeadLetterCause.RULE_FAILED);
    assertThat(topic.overlays(strict.deadLetters()).getFirst())
        .contains("DeadLetterReason=FilterException", "DeadLetterErrorDescription=");
    assertThat(topic.overlays(acting.deadLetters()).getFirst())
        .contains("DeadLetterReason=RuleActionException");
    assertThat(lax.peek()).isEmpty();
    assertThat(lax.deadLetters().peek()).isEmpty();
    assertThat(all.peek()).hasSize(1);
  }

  @Test
  @Rule("S-061")
  void creatingASubscriptionAgainComparesItsRules() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueDefinition like = QueueDefinition.named("red");
    topic.subscription(like, rule("red", "colour = 'red'"));

    assertThat(again(topic, like, null)).isInstanceOf(Effect.QueueReady.class);
    assertThat(again(topic, like, List.of(rule("red", "colour = 'red'"))))
        .isInstanceOf(Effect.QueueReady.class);
    assertThat(difference(topic, like, rule("blue", "1=1"))).isEqualTo("it has no rule blue");
    assertThat(difference(topic, like, rule("red", "1=1")))
        .isEqualTo("its rule red is another one");
    assertThat(difference(topic, like, rule("red", "colour = 'red'", "REMOVE colour")))
        .isEqualTo("its rule red is another one");
    assertThat(difference(topic, like)).isEqualTo("it has more rules");
  }

  private Effect again(
      TopicFixture topic,
      QueueDefinition like,
      @Nullable List<io.peeklock.kernel.entity.Rule> rules) {
    return shard.ask(topic.creating(like, true, rules)).effects().getFirst();
  }

  private String difference(
      TopicFixture topic, QueueDefinition like, io.peeklock.kernel.entity.Rule... rules) {
    var refused = (Effect.Refused) again(topic, like, List.of(rules));
    return ((Refusal.EntityAlreadyExists) refused.refusal()).difference();
  }

  @Test
  void rulesThatAreDescribedTakeThePlaceOfThoseThatAreThere() {
    TopicFixture topic = TopicFixture.of(shard);
    QueueFixture red = topic.subscription("red", rule("red", "colour = 'red'"));

    var other = new io.peeklock.kernel.entity.Rule("other", new Filter.True(), null, 5);
    shard.take(
        Decision.of(
            List.of(new Fact.RulesDescribed(red.id, List.of(other))), List.of(), List.of(), null));
    assertThat(topic.rules(red)).containsExactly("other");
  }
}
