package io.peeklock.server;

import io.peeklock.kernel.Effect;
import io.peeklock.kernel.QueueDefinition;
import io.peeklock.kernel.QueueRole;
import io.peeklock.kernel.Refusal;
import io.peeklock.kernel.Request;
import io.peeklock.kernel.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.Home;
import io.peeklock.runtime.Submission;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.Entity;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks the shard for the queues, topics and subscriptions of the configuration, all in one go, and
 * waits for its answers. An equal one that exists is fine.
 */
final class EntitySetup extends Endpoint {
  private final Home home;
  private final int asked;
  private final List<String> refused = new ArrayList<>();
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private int answered;

  private record EntityTicket(QueueDefinition definition) implements Ticket {}

  private EntitySetup(Home home, int asked) {
    this.home = home;
    this.asked = asked;
  }

  /**
   * Asks.
   *
   * @return completes when all are durable; fails with a {@link ConfigurationException} that names
   *     the queues that could not be made
   */
  static CompletableFuture<Void> ensure(Broker broker, Home home, List<Entity> entities) {
    if (entities.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    var setup = new EntitySetup(home, entities.size());
    // On the home, so that all of them are in the mailbox before the shard looks: one batch.
    home.execute(
        () -> {
          for (var entity : entities) {
            var ticket = new EntityTicket(entity.definition());
            broker.submit(
                Submission.of(
                    new Request.CreateQueue(setup, ticket, entity.definition(), entity.rules())));
          }
        });
    return setup.done;
  }

  @Override
  public void tell(Effect effect, @Nullable Bodies bodies) {
    answered++;
    if (effect instanceof Effect.Refused no && no.ticket() instanceof EntityTicket ticket) {
      refused.add(reason(ticket.definition(), no.refusal()));
    }
  }

  private static String reason(QueueDefinition asked, Refusal refusal) {
    var kind =
        switch (asked.role()) {
          case QueueRole.Queue queue -> "queue ";
          case QueueRole.Topic topic -> "topic ";
          case QueueRole.Subscription subscription -> "subscription ";
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
    if (refusal instanceof Refusal.TooMany many) {
      return kind
          + asked.path()
          + " cannot be made: the profile allows at most "
          + many.most()
          + " "
          + many.what();
    }
    if (refusal instanceof Refusal.FeatureNotAvailable not) {
      return kind + asked.path() + " cannot be made: the profile has no " + not.feature();
    }
    return kind + asked.path() + " cannot be made: " + refusal;
  }

  @Override
  public void flush() {
    if (answered < asked) {
      return;
    }
    if (refused.isEmpty()) {
      done.complete(null);
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
    home.execute(task);
  }
}
