package io.peeklock.codec;

import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.fact.Fact.RuleAdded;
import io.peeklock.kernel.fact.Fact.RuleRemoved;
import io.peeklock.kernel.fact.Fact.RulesDescribed;
import java.util.ArrayList;
import java.util.List;

/** The layouts of facts about the rules of subscriptions. */
final class RuleLayouts {
  static final List<FactLayout<?>> LAYOUTS =
      List.of(
          FactLayout.of(
              24,
              RuleAdded.class,
              (fact, out) -> {
                out.queue(fact.subscription());
                RuleCodec.write(fact.rule(), out);
              },
              in -> new RuleAdded(in.queue(), RuleCodec.read(in))),
          FactLayout.of(
              25,
              RuleRemoved.class,
              (fact, out) -> {
                out.queue(fact.subscription());
                out.text(fact.name());
              },
              in -> new RuleRemoved(in.queue(), in.text())),
          FactLayout.of(26, RulesDescribed.class, RuleLayouts::write, RuleLayouts::described));

  private RuleLayouts() {}

  private static void write(RulesDescribed fact, FactWriter out) {
    out.queue(fact.subscription());
    out.natural(fact.rules().size());
    for (var rule : fact.rules()) {
      RuleCodec.write(rule, out);
    }
  }

  private static RulesDescribed described(FactReader in) throws UnreadableFact {
    var subscription = in.queue();
    var count = in.count();
    var rules = new ArrayList<Rule>(count);
    for (var i = 0; i < count; i++) {
      rules.add(RuleCodec.read(in));
    }
    return new RulesDescribed(subscription, rules);
  }
}
