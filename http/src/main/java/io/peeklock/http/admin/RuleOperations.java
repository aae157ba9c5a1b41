package io.peeklock.http.admin;

import io.peeklock.http.HttpAnswer;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.properties.ProfileTerms;
import io.peeklock.http.admin.rules.RuleForm;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.entity.RuleWeight;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Catalogue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** The rules of subscriptions. Runs on the loop of each call. */
final class RuleOperations {
  private static final int OK = 200;
  private static final int CREATED = 201;

  /** What an entry has beside what its rule says. */
  private static final int RULE_BYTES = 1_200;

  private final ShardClient shardClient;
  private final Directory directory;
  private final ProfileTerms terms;
  private final LongSupplier wallMillis;

  RuleOperations(
      ShardClient shardClient, Directory directory, ProfileTerms terms, LongSupplier wallMillis) {
    this.shardClient = shardClient;
    this.directory = directory;
    this.terms = terms;
    this.wallMillis = wallMillis;
  }

  private Catalogue.Entry subscription(AdminRequest asked, AdminPath.Subscription subscription) {
    var entry = directory.subscription(subscription.path());
    if (entry == null) {
      throw AdminRefusals.notFound(asked);
    }
    return entry;
  }

  /** Makes a rule that is named in the body alone, as one client does. */
  CompletableFuture<HttpAnswer> put(AdminRequest asked, AdminPath.Rules rules) {
    var name = RuleForm.name(asked.description());
    if (name == null) {
      throw Problem.bad("The rule has no name");
    }
    return put(asked, new AdminPath.Rule(rules.subscription(), name));
  }

  /** Makes a rule, or puts another in its place. */
  CompletableFuture<HttpAnswer> put(AdminRequest asked, AdminPath.Rule target) {
    var description = asked.description();
    if (!description.name().equals("RuleDescription")) {
      throw Problem.bad("The content of the entry must be a RuleDescription");
    }
    var subscription = subscription(asked, target.subscription()).queue();
    var rule = RuleForm.read(target.name(), description, terms.filters());
    return shardClient
        .ask(
            (origin, ticket) ->
                asked.updates()
                    ? new EntityRequest.ReplaceRule(origin, ticket, subscription, rule)
                    : new Request.AddRule(origin, ticket, subscription, rule))
        .thenComposeAsync(
            effect -> {
              EntityOperations.check(effect, asked);
              return shown(asked, asked.updates() ? OK : CREATED, target, subscription);
            },
            asked.call()::execute);
  }

  /** Reads a rule. */
  CompletableFuture<HttpAnswer> get(AdminRequest asked, AdminPath.Rule target) {
    return shown(asked, OK, target, subscription(asked, target.subscription()).queue());
  }

  private CompletableFuture<HttpAnswer> shown(
      AdminRequest asked, int status, AdminPath.Rule target, QueueId subscription) {
    return rules(asked, subscription, RulePage.of(target.name()))
        .thenApplyAsync(
            rules -> {
              for (var rule : rules) {
                if (rule.name().equalsIgnoreCase(target.name())) {
                  return Documents.entry(asked, status, entry(target.subscription(), rule));
                }
              }
              throw AdminRefusals.notFound(asked);
            },
            asked.call()::execute);
  }

  private CompletableFuture<List<Rule>> rules(
      AdminRequest asked, QueueId subscription, RulePage page) {
    return shardClient
        .ask((origin, ticket) -> new Request.ListRules(origin, ticket, subscription, page))
        .thenApply(
            effect -> {
              EntityOperations.check(effect, asked);
              if (effect instanceof Effect.RulesListed listed) {
                return listed.rules();
              }
              throw new IllegalStateException("the shard lists what it is asked to");
            });
  }

  private Documents.Entry entry(AdminPath.Subscription subscription, Rule rule) {
    var entry = directory.subscription(subscription.path());
    var path = entry == null ? subscription.path() : entry.definition().path();
    return new Documents.Entry(
        path + "/Rules/" + rule.name(),
        rule.name(),
        rule.createdAtMillis(),
        rule.createdAtMillis(),
        false,
        out -> RuleForm.write(rule, out));
  }

  /** Lists rules by name. */
  CompletableFuture<HttpAnswer> list(AdminRequest asked, AdminPath.Rules target) {
    var subscription = subscription(asked, target.subscription()).queue();
    var page = RulePage.named(asked.skip(), asked.top() + 1); // one more says whether there are
    return rules(asked, subscription, page)
        .thenComposeAsync(
            rules -> {
              var some = rules.subList(0, Math.min(asked.top(), rules.size()));
              return Documents.feed(
                  asked,
                  "Rules",
                  AdminPath.shown(target),
                  wallMillis.getAsLong(),
                  new Documents.Page<>(
                      some,
                      some.size() < rules.size(),
                      rule -> RULE_BYTES + RuleWeight.of(rule),
                      each -> CompletableFuture.completedFuture(entries(target, each))));
            },
            asked.call()::execute);
  }

  private List<Documents.Entry> entries(AdminPath.Rules target, List<Rule> rules) {
    return rules.stream().map(rule -> entry(target.subscription(), rule)).toList();
  }

  /** Takes a rule away. */
  CompletableFuture<HttpAnswer> delete(AdminRequest asked, AdminPath.Rule target) {
    var subscription = subscription(asked, target.subscription()).queue();
    return shardClient
        .ask(
            (origin, ticket) -> new Request.RemoveRule(origin, ticket, subscription, target.name()))
        .thenApply(
            effect -> {
              EntityOperations.check(effect, asked);
              return HttpAnswer.empty(OK);
            });
  }
}
