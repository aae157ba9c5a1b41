package io.peeklock.http.admin;

import io.peeklock.http.HttpAnswer;
import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.http.admin.properties.DefinitionForm;
import io.peeklock.http.admin.properties.EntityView;
import io.peeklock.http.admin.properties.Kind;
import io.peeklock.http.admin.properties.ProfileTerms;
import io.peeklock.http.admin.properties.Tables;
import io.peeklock.http.admin.rules.RuleForm;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.EntityCounting;
import io.peeklock.runtime.naming.EntityNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Queues, topics and subscriptions. Runs on the loop of each call. */
final class EntityOperations {
  private static final String FORWARD_TOKEN = "ServiceBusSupplementaryAuthorization";
  private static final String DEAD_LETTER_TOKEN = "ServiceBusDlqSupplementaryAuthorization";
  private static final int OK = 200;
  private static final int CREATED = 201;

  private final ShardClient shardClient;
  private final Directory directory;
  private final AdminAuthorizer authorizer;
  private final ProfileTerms terms;
  private final LongSupplier wallMillis;

  EntityOperations(
      ShardClient shardClient,
      Directory directory,
      AdminAuthorizer authorizer,
      ProfileTerms terms,
      LongSupplier wallMillis) {
    this.shardClient = shardClient;
    this.directory = directory;
    this.authorizer = authorizer;
    this.terms = terms;
    this.wallMillis = wallMillis;
  }

  /** Makes or changes a queue or topic. */
  CompletableFuture<HttpAnswer> put(AdminRequest asked, AdminPath.Entity entity) {
    var description = asked.description();
    var kind = kind(description, Kind.QUEUE, Kind.TOPIC);
    if (asked.updates()) {
      return update(asked, kind, directory.entity(entity.path()), description);
    }
    var wrong = EntityNames.wrongWith(entity.path());
    if (!wrong.isEmpty()) {
      throw Problem.bad("The path '" + entity.path() + "' " + wrong);
    }
    var role = kind == Kind.QUEUE ? QueueRole.QUEUE : new QueueRole.Topic(false);
    return create(asked, kind, entity.path(), role, description);
  }

  /** Makes or changes a subscription. */
  CompletableFuture<HttpAnswer> put(AdminRequest asked, AdminPath.Subscription subscription) {
    var description = asked.description();
    var kind = kind(description, Kind.SUBSCRIPTION);
    if (asked.updates()) {
      return update(asked, kind, directory.subscription(subscription.path()), description);
    }
    var wrong = EntityNames.wrongWithSubscription(subscription.name());
    if (!wrong.isEmpty()) {
      throw Problem.bad("The name of the subscription '" + subscription.name() + "' " + wrong);
    }
    var topic = directory.topic(subscription.topic());
    if (topic == null) {
      throw AdminRefusals.notFound(asked);
    }
    var topicPath = topic.definition().path();
    return create(
        asked,
        kind,
        EntityNames.subscription(topicPath, subscription.name()),
        new QueueRole.Subscription(topicPath, true),
        description);
  }

  private static Kind kind(XmlNode description, Kind... allowed) {
    for (var kind : allowed) {
      if (description.name().equals(kind.element())) {
        return kind;
      }
    }
    throw Problem.bad("The content of the entry must be a " + allowed[0].element());
  }

  private CompletableFuture<HttpAnswer> create(
      AdminRequest asked, Kind kind, String path, QueueRole role, XmlNode description) {
    var draft = DefinitionForm.create(terms, asked.version(), path, role);
    Tables.read(kind, description, draft);
    var definition = draft.build();
    admitForwards(asked, definition);
    var rules = kind == Kind.SUBSCRIPTION ? firstRules(description) : null;
    return shardClient
        .ask((origin, ticket) -> new Request.CreateQueue(origin, ticket, definition, rules))
        .thenComposeAsync(
            effect -> {
              if (effect instanceof Effect.QueueReady ready && !ready.created()) {
                throw AdminRefusals.exists(asked);
              }
              check(effect, asked);
              return shown(asked, CREATED, path);
            },
            asked.call()::execute);
  }

  /** S-314; null for the one that selects everything. */
  private @Nullable List<Rule> firstRules(XmlNode description) {
    var given = description.child("DefaultRuleDescription");
    if (given == null || given.nil()) {
      return null;
    }
    var name = RuleForm.name(given);
    return List.of(RuleForm.read(name == null ? Rule.DEFAULT_NAME : name, given, terms.filters()));
  }

  private CompletableFuture<HttpAnswer> update(
      AdminRequest asked, Kind kind, Catalogue.@Nullable Entry before, XmlNode description) {
    if (before == null) {
      throw AdminRefusals.notFound(asked);
    }
    if (Kind.of(before.definition()) != kind) {
      throw Problem.bad(
          "'" + before.definition().path() + "' is no " + kind.word().toLowerCase(Locale.ROOT));
    }
    var draft = DefinitionForm.update(terms, asked.version(), before.definition());
    Tables.read(kind, description, draft);
    var definition = draft.build();
    admitForwards(asked, definition);
    return shardClient
        .ask((origin, ticket) -> new EntityRequest.UpdateQueue(origin, ticket, definition))
        .thenComposeAsync(
            effect -> {
              check(effect, asked);
              return shown(asked, OK, definition.path());
            },
            asked.call()::execute);
  }

  private void admitForwards(AdminRequest asked, QueueDefinition definition) {
    authorizer.admitForward(asked, asked.header(FORWARD_TOKEN), definition.forwardTo());
    authorizer.admitForward(
        asked, asked.header(DEAD_LETTER_TOKEN), definition.forwardDeadLettersTo());
  }

  static void check(Effect effect, AdminRequest asked) {
    if (effect instanceof Effect.Refused refused) {
      throw AdminRefusals.of(refused.refusal(), asked);
    }
  }

  /** Reads a queue or topic; where there is none the answer is a list of nothing (S-062). */
  CompletableFuture<HttpAnswer> get(AdminRequest asked, AdminPath.Entity entity) {
    return directory.entity(entity.path()) == null
        ? CompletableFuture.completedFuture(Documents.nothing(asked, wallMillis.getAsLong()))
        : shown(asked, OK, entity.path());
  }

  /** Reads a subscription. */
  CompletableFuture<HttpAnswer> get(AdminRequest asked, AdminPath.Subscription subscription) {
    if (directory.subscription(subscription.path()) == null) {
      throw AdminRefusals.notFound(asked);
    }
    return shown(asked, OK, subscription.path());
  }

  private CompletableFuture<HttpAnswer> shown(AdminRequest asked, int status, String path) {
    var entry = shardClient.broker().catalogue().queue(path);
    if (entry == null) {
      throw AdminRefusals.notFound(asked); // gone again
    }
    return counted(List.of(entry))
        .thenApplyAsync(
            counts -> {
              var known = counts.getFirst();
              return Documents.entry(
                  asked, status, entry(asked, entry, known == null ? EntityView.NOTHING : known));
            },
            asked.call()::execute);
  }

  private CompletableFuture<List<@Nullable EntityCounts>> counted(List<Catalogue.Entry> entries) {
    var ids = entries.stream().map(Catalogue.Entry::queue).toList();
    return EntityCounting.of(shardClient.broker(), ids);
  }

  private Documents.Entry entry(AdminRequest asked, Catalogue.Entry entry, EntityCounts counts) {
    var path = entry.definition().path();
    var isSubscription = Kind.of(entry.definition()) == Kind.SUBSCRIPTION;
    var said = asked.body() == null ? null : asked.description();
    var below = directory.subscriptions(path).size();
    var shown = new EntityView(entry, counts, below, asked.version(), said);
    return new Documents.Entry(
        path,
        isSubscription ? EntityNames.nameOf(path) : path,
        asked.updates() ? null : entry.createdAtMillis(),
        entry.updatedAtMillis(),
        !isSubscription,
        out -> Tables.write(shown, out));
  }

  /** Lists queues. */
  CompletableFuture<HttpAnswer> list(AdminRequest asked, AdminPath.Queues queues) {
    return page(asked, "Queues", directory.queues());
  }

  /** Lists topics. */
  CompletableFuture<HttpAnswer> list(AdminRequest asked, AdminPath.Topics topics) {
    return page(asked, "Topics", directory.topics());
  }

  /** Lists the subscriptions of a topic. */
  CompletableFuture<HttpAnswer> list(AdminRequest asked, AdminPath.Subscriptions subscriptions) {
    if (directory.topic(subscriptions.topic()) == null) {
      throw AdminRefusals.notFound(asked);
    }
    return page(asked, "Subscriptions", directory.subscriptions(subscriptions.topic()));
  }

  private CompletableFuture<HttpAnswer> page(
      AdminRequest asked, String title, List<Catalogue.Entry> all) {
    var from = Math.min(asked.skip(), all.size());
    var until = from + Math.min(asked.top(), all.size() - from);
    return Documents.feed(
        asked,
        title,
        AdminPath.shown(asked.target()),
        wallMillis.getAsLong(),
        new Documents.Page<>(
            all.subList(from, until),
            until < all.size(),
            Tables::weight,
            some -> entries(asked, some)));
  }

  private CompletableFuture<List<Documents.Entry>> entries(
      AdminRequest asked, List<Catalogue.Entry> some) {
    return counted(some)
        .thenApplyAsync(
            counts -> {
              var shown = new ArrayList<Documents.Entry>(some.size());
              for (var i = 0; i < some.size(); i++) {
                var known = counts.get(i);
                if (known != null) {
                  shown.add(entry(asked, some.get(i), known));
                }
              }
              return shown;
            },
            asked.call()::execute);
  }

  /** Deletes an entity with all that is below it. */
  CompletableFuture<HttpAnswer> delete(AdminRequest asked, Catalogue.@Nullable Entry entry) {
    if (entry == null) {
      throw AdminRefusals.notFound(asked);
    }
    var path = entry.definition().path();
    return shardClient
        .ask((origin, ticket) -> new EntityRequest.DeleteQueue(origin, ticket, path))
        .thenApply(
            effect -> {
              check(effect, asked);
              return HttpAnswer.empty(OK);
            });
  }

  /**
   * Empties the namespace; {@code keep=entities} keeps the entities themselves. In one step, so
   * that nobody sees half of it.
   */
  CompletableFuture<HttpAnswer> deleteAll(AdminRequest asked) {
    refuseOtherParameters(asked, "keep", "api-version");
    var keep = asked.call().head().query("keep");
    if (keep != null && !keep.equalsIgnoreCase("entities")) {
      throw Problem.bad("'keep' must be 'entities', or be left out");
    }
    return shardClient
        .ask((origin, ticket) -> new EntityRequest.EmptyNamespace(origin, ticket, keep != null))
        .thenApply(
            effect -> {
              check(effect, asked);
              return HttpAnswer.empty(OK);
            });
  }

  /**
   * A misspelt parameter must not widen what is deleted, so it ends the call before anything is.
   */
  private static void refuseOtherParameters(AdminRequest asked, String... known) {
    for (var name : asked.call().head().queryNames()) {
      if (List.of(known).stream().noneMatch(name::equalsIgnoreCase)) {
        throw Problem.bad(
            "There is no parameter '"
                + name
                + "' here, and nothing is deleted; there are "
                + String.join(", ", known));
      }
    }
  }
}
