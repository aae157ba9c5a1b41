package io.peeklock.server;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.EntityProperties;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the shard for the queues, topics and subscriptions of the configuration, all in one go, and
 * waits for its answers. An equal one that exists is fine; what becomes of one that differs, each
 * entity says. What a configuration does not speak of, such as authorization rules, is kept.
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

  private final List<Entity> all;
  private final Set<String> remade = new HashSet<>();

  /**
   * What an answer is about.
   *
   * @param again whether it is asked for behind a deletion
   */
  private record EntityTicket(Entity entity, boolean again) implements Ticket {}

  private static final Ticket DELETED = new Ticket() {};

  /**
   * What was done; the rest was as it should be.
   *
   * @param made paths of those that were missing
   * @param changed paths of those that were otherwise
   */
  record Outcome(Set<String> made, Set<String> changed) {}

  private EntitySetup(Broker broker, ShardExecutor shardExecutor, List<Entity> all) {
    this.all = List.copyOf(all);
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
    var setup = new EntitySetup(broker, shardExecutor, entities);
    // On the shard's thread, so that all are in the mailbox before it looks: one batch.
    shardExecutor.execute(
        () -> {
          for (var entity : entities) {
            var ticket = new EntityTicket(entity, false);
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
    if (effect instanceof Effect.Refused no) {
      if (no.ticket() instanceof EntityTicket ticket) {
        refused(ticket, no.refusal());
      } else {
        refused.add("an entity could not be deleted: " + no.refusal());
      }
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
    } else if (wanted.difference() != Entity.Difference.REFUSED && there != null) {
      change(ticket, there.definition()); // the shard compares no attributes
    }
  }

  private void refused(EntityTicket ticket, Refusal refusal) {
    var wanted = ticket.entity();
    var there = broker.catalogue().queue(wanted.definition().path());
    if (isOutdated(ticket)) {
      return; // it is asked for once more, behind its topic
    }
    if (there == null || !(refusal instanceof Refusal.EntityAlreadyExists)) {
      if (refusal instanceof Refusal.TooMany && !bounds.add(refusal)) {
        refusedAlike++; // thousands may be
      } else {
        refused.add(EntityRefusals.reason(wanted.definition(), refusal));
      }
      return;
    }
    if (wanted.difference() == Entity.Difference.REFUSED) {
      refuseDifference(ticket, there.definition());
    } else if (change(ticket, there.definition()) && wanted.rules() != null) {
      ask(new Request.ListRules(this, ticket, there.queue(), RulePage.all()));
    }
  }

  /** What was said must be so already; what nobody spoke of may be as it is. */
  private void refuseDifference(EntityTicket ticket, QueueDefinition is) {
    var wanted = ticket.entity();
    var next = isOfOneKind(is, wanted.definition()) ? wanted.over(is) : wanted.definition();
    if (!next.equals(is)) {
      refused.add(
          EntityRefusals.named(wanted.definition())
              + " exists and differs: "
              + EntityDifference.text(is, next)
              + "; change it, or start without --strict-entities");
    } else if (wanted.rules() != null) {
      refused.add(EntityRefusals.named(wanted.definition()) + " exists and has other rules");
    }
  }

  private static boolean isOfOneKind(QueueDefinition is, QueueDefinition wanted) {
    return is.role().getClass() == wanted.role().getClass();
  }

  /** Returns whether the entity stays, so that its rules can become what they should be. */
  private boolean change(EntityTicket ticket, QueueDefinition is) {
    var wanted = ticket.entity();
    if (!isOfOneKind(is, wanted.definition())) {
      refused.add(
          EntityRefusals.named(wanted.definition())
              + ": "
              + EntityRefusals.named(is)
              + " has this name");
      return false;
    }
    QueueDefinition next;
    try {
      next = wanted.over(is);
    } catch (IllegalArgumentException together) { // with what is there and stays
      refused.add(EntityRefusals.named(is) + ": " + together.getMessage());
      return false;
    }
    var fixed = EntityProperties.fixedThatDiffers(is, next);
    if (fixed != null && wanted.difference() == Entity.Difference.REMADE) {
      remake(ticket, is, fixed);
      return false;
    }
    if (fixed != null && wanted.difference() != Entity.Difference.APPLIED) {
      refused.add(EntityRefusals.fixed(is, fixed));
      return false;
    }
    update(ticket, is, fixed == null ? next : kept(is, next, fixed));
    return true;
  }

  private static QueueDefinition kept(QueueDefinition is, QueueDefinition next, String fixed) {
    LOG.warn("{}; it stays as it is, and the broker starts", EntityRefusals.fixed(is, fixed));
    return EntityDifference.withoutFixed(is, next);
  }

  private void update(EntityTicket ticket, QueueDefinition is, QueueDefinition next) {
    if (!next.equals(is)) {
      LOG.info(
          "{} is changed to what the configuration says: {}",
          is.path(),
          EntityDifference.text(is, next));
      changed.add(is.path());
      ask(new EntityRequest.UpdateQueue(this, ticket, next));
    }
  }

  /** Deletes it and makes it as it should be; a topic with those of its subscriptions. */
  private void remake(EntityTicket ticket, QueueDefinition is, String fixed) {
    LOG.warn(
        "{} is made anew, and the messages in it are gone: {} cannot be changed",
        EntityRefusals.named(is),
        fixed);
    remade.add(key(is.path()));
    changed.add(is.path());
    ask(new EntityRequest.DeleteQueue(this, DELETED, is.path()));
    for (var entity : all) {
      if (entity.equals(ticket.entity()) || isBelow(entity, is.path())) {
        var again = new EntityTicket(entity, true);
        ask(new Request.CreateQueue(this, again, entity.definition(), entity.rules()));
      }
    }
  }

  /** Whether an answer is about a subscription that went with its topic, and comes again. */
  private boolean isOutdated(EntityTicket ticket) {
    return !ticket.again() && remade.stream().anyMatch(topic -> isBelow(ticket.entity(), topic));
  }

  private static boolean isBelow(Entity entity, String topic) {
    return entity.definition().role() instanceof QueueRole.Subscription subscription
        && subscription.topicPath().equalsIgnoreCase(topic);
  }

  private static String key(String path) {
    return path.toLowerCase(Locale.ROOT);
  }

  /** Gives a subscription the rules of the configuration, and no others. */
  private void replace(EntityTicket ticket, List<Rule> are) {
    var wanted = ticket.entity();
    var there = broker.catalogue().queue(wanted.definition().path());
    if (there == null || wanted.rules() == null) {
      return;
    }
    if (isOutdated(ticket)) {
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
