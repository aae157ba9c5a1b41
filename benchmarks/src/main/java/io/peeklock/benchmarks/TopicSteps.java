package io.peeklock.benchmarks;

import static io.peeklock.benchmarks.MeasuredShard.UNNAMED;

import io.peeklock.benchmarks.MeasuredShard.Note;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.filter.CorrelationFilter;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.Parsed;
import io.peeklock.kernel.filter.SqlFilter;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Steps of a topic. */
final class TopicSteps {
  private TopicSteps() {}

  private static QueueId topic(MeasuredShard shard) {
    return shard.create(QueueDefinition.named("t").as(new QueueRole.Topic(false)));
  }

  private static QueueId subscription(MeasuredShard shard, int i, @Nullable List<Rule> rules) {
    var definition =
        QueueDefinition.named("t/Subscriptions/" + i).as(new QueueRole.Subscription("t", true));
    var decision =
        shard.ask(
            "make a subscription",
            new Request.CreateQueue(shard.client, new Note(), definition, rules));
    if (decision.effects().getFirst() instanceof Effect.QueueReady ready) {
      return ready.queue();
    }
    throw new IllegalStateException("was refused: " + decision.effects());
  }

  private static Rule sql(String name, String text) {
    return switch (SqlFilter.parse(text, FilterLimits.CEILING)) {
      case Parsed.Done<SqlFilter> done -> new Rule(name, done.value(), null, 0);
      case Parsed.Wrong<SqlFilter> wrong ->
          throw new IllegalArgumentException(wrong.problem().toString());
    };
  }

  static void subscriptions(StepLedger ledger, StepSizes sizes) {
    for (var round = 0; round < 10; round++) {
      var shard = new MeasuredShard(ledger);
      var topic = topic(shard);
      for (var i = 0; i < sizes.subscriptions(); i++) {
        subscription(shard, i, null);
      }
      for (var i = 0; i < 100; i++) {
        shard.send("send one message to many subscriptions", topic, 1);
        shard.forwards("a part of the copies of one message that was sent");
      }
      shard.send("send a batch to many subscriptions", topic, sizes.batch());
      shard.forwards("fan out to many subscriptions");
      for (var i = 0; i < 20; i++) {
        shard.delete("delete one of many subscriptions", "t/Subscriptions/" + i);
      }
      shard.delete("delete a topic with many subscriptions", "t");
      shard.passes("tick that empties a topic", 0);
    }
  }

  static void rules(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var topic = topic(shard);
    var one = subscription(shard, 0, List.of());
    for (var i = 0; i < sizes.rules(); i++) {
      shard.ask(
          "add a rule",
          new Request.AddRule(
              shard.client, new Note(), one, sql("r" + i, "color = 'c" + i + "' AND size > 3")));
    }
    for (var i = 0; i < 100; i++) {
      shard.send("one message through many SQL rules", topic, 1);
      shard.ask(
          "list many rules", new Request.ListRules(shard.client, new Note(), one, RulePage.all()));
    }
    for (var round = 0; round < 4; round++) {
      for (var i = 0; i < sizes.rules(); i++) {
        shard.ask(
            "remove a rule of many",
            new Request.RemoveRule(shard.client, new Note(), one, "r" + i));
        shard.ask(
            "add a rule to many",
            new Request.AddRule(
                shard.client, new Note(), one, sql("r" + i, "color = 'd" + i + "' AND n > 3")));
      }
      shard.send("one message after many changes of rules", topic, 1);
    }
  }

  static void correlations(StepLedger ledger, StepSizes sizes) {
    var shard = new MeasuredShard(ledger);
    var topic = topic(shard);
    subscription(shard, 0, null);
    for (var round = 1; round < 4; round++) {
      var many = subscription(shard, round, List.of());
      for (var i = 0; i < sizes.correlations(); i++) {
        shard.ask(
            "add one of many correlation rules",
            new Request.AddRule(shard.client, new Note(), many, correlation(i)));
      }
      shard.send("one message after many changes of correlation rules", topic, 1);
      var path = "t/Subscriptions/" + round;
      if (round == 3) {
        shard.ask(
            "empty a namespace with many rules, entities stay",
            new EntityRequest.EmptyNamespace(shard.client, new Note(), true));
      }
      shard.delete("delete a subscription with many rules", path);
      shard.passes("tick that lets rules go", 0);
    }
  }

  private static Rule correlation(int i) {
    var values = Map.of("customer", FilterValue.of("c" + i));
    return switch (CorrelationFilter.of(Map.of(), values)) {
      case Parsed.Done<CorrelationFilter> done -> new Rule("r" + i, done.value(), null, 0);
      case Parsed.Wrong<CorrelationFilter> wrong ->
          throw new IllegalArgumentException(wrong.problem().toString());
    };
  }

  static void bombs(StepLedger ledger, StepSizes sizes) {
    bombs(ledger, sizes, "bombs", "'%" + "a".repeat(3_900) + "b%'");
    bombs(ledger, sizes, "bombs with an escape", "'%" + "a".repeat(3_900) + "b%' ESCAPE '!'");
    bombs(ledger, sizes, "bombs of any characters", "'%" + "_".repeat(3_900) + "b%'");
    bombs(ledger, sizes, "bombs of percent signs", "'" + "%a".repeat(1_900) + "b%'");
  }

  private static void bombs(StepLedger ledger, StepSizes sizes, String name, String pattern) {
    var shard = new MeasuredShard(ledger);
    var topic = topic(shard);
    var one = subscription(shard, 0, List.of());
    var terms = new String[16];
    Arrays.fill(terms, "text LIKE " + pattern);
    var bomb = String.join(" OR ", terms);
    for (var i = 0; i < Math.max(1, sizes.rules() / 5); i++) {
      shard.ask(UNNAMED, new Request.AddRule(shard.client, new Note(), one, sql("bomb" + i, bomb)));
    }
    for (var i = 0; i < 200; i++) {
      shard.send("one message through " + name + " in rules", topic, 1);
    }
  }
}
