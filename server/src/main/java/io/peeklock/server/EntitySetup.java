package io.peeklock.server;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.entity.RulePage;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.EntityRequest;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.ShardExecutor;
import io.peeklock.runtime.Submission;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.Entity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the shard for the queues, topics and subscriptions of the configuration, all in one go, and
 * waits for its answers. An equal one that exists is fine; one that differs is refused, or changed
 * where the configuration is to win. Nobody's status is, nor what a configuration does not speak
 * of, such as authorization rules.
 */
final class EntitySetup extends Endpoint {
  private static final Logger LOG = LoggerFactory.getLogger(EntitySetup.class);

  private final Broker broker;
  private final ShardExecutor shardExecutor;
  private int asked;
  private final List<String> refused = new ArrayList<>();
  private final Set<Refusal> bounds = new HashSet<>(); // that refused some already
  private int refusedAlike;
  private final Set<String> made = new TreeSet<>();
  private final Set<String> changed = new TreeSet<>();
  private final CompletableFuture<Outcome> done = new CompletableFuture<>();
  private int answered;

  private record EntityTicket(Entity entity) implements Ticket {}

  /**
   * What was done; the rest was as it should be.
   *
   * @param made paths of those that were missing
   * @param changed paths of those that were otherwise
   */
  record Outcome(Set<String> made, Set<String> changed) {}

  private EntitySetup(Broker broker, ShardExecutor shardExecutor) {
    this.broker = broker;
    this.shardExecutor = shardExecutor;
  }

  /**
   * Asks.
   *
   * @return completes when all are durable; fails with a {@link ConfigurationException} that names
   *     the queues that could not be made
   */
  static CompletableFuture<Outcome> ensure(
      Broker broker, ShardExecutor shardExecutor, List<Entity> entities) {
    if (entities.isEmpty()) {
      return CompletableFuture.completedFuture(new Outcome(Set.of(), Set.of()));
    }
    var setup = new EntitySetup(broker, shardExecutor);
    // On the shard's thread, so that all are in the mailbox before it looks: one batch.
    shardExecutor.execute(
        () -> {
          for (var entity : entities) {
            var ticket = new EntityTicket(entity);
            setup.ask(new Request.CreateQueue(setup, ticket, entity.definition(), entity.rules()));
          }
        });
    return setup.done;
  }

  private void ask(Request request) {
    asked++;
    broker.submit(Submission.of(request));
  }

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    answered++;
    if (effect instanceof Effect.Refused no && no.ticket() instanceof EntityTicket ticket) {
      refused(ticket, no.refusal());
    } else if (effect instanceof Effect.QueueReady is
        && is.ticket() instanceof EntityTicket ticket) {
      ready(ticket, is.created());
    } else if (effect instanceof Effect.RulesListed listed
        && listed.ticket() instanceof EntityTicket ticket) {
      replace(ticket, listed.rules());
    }
  }

  private void ready(EntityTicket ticket, boolean created) {
    var wanted = ticket.entity();
    var path = wanted.definition().path();
    var there = broker.catalogue().queue(path);
    if (created) {
      made.add(path);
    } else if (wanted.replaces() && there != null) {
      change(ticket, there.definition(), "its comment"); // the shard compares no attributes
    }
  }

  private void change(EntityTicket ticket, QueueDefinition is, String difference) {
    var wanted = ticket.entity().definition();
    var attributes = new HashMap<>(is.attributes());
    attributes.putAll(wanted.attributes());
    var next = wanted.with().path(is.path()).status(is.status()).attributes(attributes).build();
    if (!next.equals(is)) {
      LOG.info("{} is changed to what the configuration says: {}", is.path(), difference);
      changed.add(is.path());
      ask(new EntityRequest.UpdateQueue(this, ticket, next));
    }
  }

  private void refused(EntityTicket ticket, Refusal refusal) {
    var wanted = ticket.entity();
    var path = wanted.definition().path();
    var there = broker.catalogue().queue(path);
    if (!wanted.replaces()
        || there == null
        || !(refusal instanceof Refusal.EntityAlreadyExists differs)) {
      if (refusal instanceof Refusal.TooMany && !bounds.add(refusal)) {
        refusedAlike++; // thousands may be
      } else {
        refused.add(reason(wanted.definition(), refusal));
      }
      return;
    }
    change(ticket, there.definition(), differs.difference());
    if (wanted.rules() != null) {
      ask(new Request.ListRules(this, ticket, there.queue(), RulePage.all()));
    }
  }

  /** Gives a subscription the rules of the configuration, and no others. */
  private void replace(EntityTicket ticket, List<Rule> are) {
    var wanted = ticket.entity();
    var there = broker.catalogue().queue(wanted.definition().path());
    if (there == null || wanted.rules() == null) {
      return;
    }
    for (var rule : are) {
      if (wanted.rules().stream().noneMatch(other -> isSame(other, rule))) {
        changed.add(wanted.definition().path());
        ask(new Request.RemoveRule(this, ticket, there.queue(), rule.name()));
      }
    }
    for (var rule : wanted.rules()) {
      if (are.stream().noneMatch(other -> isSame(other, rule))) {
        changed.add(wanted.definition().path());
        ask(new Request.AddRule(this, ticket, there.queue(), rule));
      }
    }
  }

  private static boolean isSame(Rule one, Rule other) {
    return one.key().equals(other.key())
        && one.filter().equals(other.filter())
        && Objects.equals(one.action(), other.action());
  }

  private static String reason(QueueDefinition asked, Refusal refusal) {
    var kind =
        switch (asked.role()) {
          case QueueRole.Queue queue -> "queue ";
          case QueueRole.Topic topic -> "topic ";
          case QueueRole.Subscription subscription -> "subscription ";
          case QueueRole.Transfers transfers -> "transfers ";
        };
    if (refusal instanceof Refusal.EntityAlreadyExists exists) {
      return kind + asked.path() + " exists and differs: " + exists.difference();
    }
    if (refusal instanceof Refusal.EntityNotFound
        && asked.role() instanceof QueueRole.Subscription subscription) {
      return kind + asked.path() + ": there is no topic " + subscription.topicPath();
    }
    if (refusal instanceof Refusal.ForwardDestinationNotFound missing) {
      return kind
          + asked.path()
          + ": there is no queue and no topic "
          + missing.path()
          + " to forward to";
    }
    if (refusal instanceof Refusal.PropertyFixed fixed) {
      return kind
          + asked.path()
          + " exists, and "
          + fixed.property()
          + " cannot be changed; delete it first, or name another data folder";
    }
    if (refusal instanceof Refusal.TooMany many) {
      return kind
          + asked.path()
          + " cannot be made: at most "
          + many.most()
          + " "
          + many.what()
          + " are allowed, by the profile or by the memory that there is";
    }
    if (refusal instanceof Refusal.FeatureNotAvailable not) {
      return kind + asked.path() + " cannot be made: the profile has no " + not.feature();
    }
    if (refusal instanceof Refusal.StoreFull) {
      return kind
          + asked.path()
          + " cannot be made: the store is full. Make room on the disk of the data folder, or set a"
          + " smaller --disk-reserve-megabytes; in memory, a larger --memory-megabytes. Where messages"
          + " take all that they may of the heap, start without it and receive some, or give the broker"
          + " more memory";
    }
    return kind
        + asked.path()
        + " cannot be made: the broker refused with "
        + refusal.getClass().getSimpleName();
  }

  @Override
  public void flush() {
    if (answered < asked) {
      return;
    }
    if (refusedAlike > 0) {
      refused.add("nor can " + refusedAlike + " more");
    }
    if (refused.isEmpty()) {
      done.complete(new Outcome(made, changed));
    } else {
      done.completeExceptionally(new ConfigurationException(String.join("; ", refused)));
    }
  }

  @Override
  public void resume() {
    // Nothing is read here that could go on.
  }

  @Override
  public void unreadable(String reason) {
    done.completeExceptionally(new IllegalStateException("no bodies were asked for: " + reason));
  }

  @Override
  public void execute(Runnable task) {
    shardExecutor.execute(task);
  }
}
