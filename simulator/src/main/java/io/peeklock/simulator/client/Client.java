package io.peeklock.simulator.client;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.ReadFault;
import io.peeklock.runtime.Shard;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.BrokerFailed;
import io.peeklock.simulator.world.World;
import io.peeklock.simulator.world.WorldListener;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All clients of a world's broker: asks what is to be asked, and tells an {@link Auditor} of it and
 * of all that comes of it, in the order in which the broker decided.
 */
public final class Client implements WorldListener {
  private final Auditor auditor;
  private final Desk desk;
  private final Transactions transactions;
  private final Asking asking;
  private final Replies replies;
  private @Nullable Throwable fault;

  /** Clients of this world; it tells nobody else. */
  public Client(World world, Auditor auditor) {
    this.auditor = auditor;
    this.desk = new Desk(world, auditor, new Ears());
    var requests = new Requests(desk);
    this.transactions = new Transactions(desk, requests);
    this.asking = new Asking(desk, requests, transactions);
    this.replies = new Replies(desk, transactions);
    world.tell(this);
  }

  /** Whether the broker takes more, and what makes or deletes entities is decided. */
  public boolean mayAsk() {
    return desk.mayAsk() && !desk.isAdministering();
  }

  /**
   * Asks, if a client can ask that now.
   *
   * @return whether it was asked
   */
  public boolean ask(Operation operation) {
    return mayAsk() && asking.ask(operation);
  }

  /**
   * Nothing is under way and no fault at work: every question must have been answered.
   *
   * @throws BrokerFailed when one is not
   */
  public void rests() {
    turned();
    if (!desk.unanswered.isEmpty()) {
      throw new BrokerFailed(
          "never answered: "
              + desk.unanswered.entrySet().stream()
                  .limit(5)
                  .map(String::valueOf)
                  .collect(Collectors.joining(", ")));
    }
    if (desk.chronicle.untold() > 0) {
      throw new BrokerFailed(desk.chronicle.untold() + " times something decided was never told");
    }
    if (!desk.mayAsk()) {
      throw new BrokerFailed("who was told to stop was never told to go on");
    }
    auditor.atRest(desk.nowMillis());
  }

  @Override
  public void turned() {
    var broken = fault;
    if (broken != null) {
      throw new BrokerFailed("an answer could not be told", broken);
    }
    desk.chronicle.tell();
  }

  @Override
  public void restarted(Shard shard) {
    desk.chronicle.tellAll();
    transactions.restarted();
    desk.restarted(shard);
    auditor.restarted(desk.nowMillis());
  }

  private final class Ears implements Party.Listener {
    @Override
    public Chronicle.Line decided(Effect effect) {
      var ticket = ticketOf(effect);
      if (ticket instanceof Asked asked) {
        noteEntity(effect, asked.operation());
        desk.decided(asked);
      }
      return desk.chronicle.open(desk.nowMillis());
    }

    @Override
    public void told(Party to, Effect effect, @Nullable Bodies bodies, Chronicle.Line line) {
      replies.told(to, effect, bodies, line);
    }

    @Override
    public void unreadable(Party party, String reason) {
      var receiver = party.receiver();
      if (receiver != null && !receiver.isOver) {
        receiver.isOver = true;
        party.giveUp();
        var now = desk.nowMillis();
        desk.chronicle.add(to -> to.receiverEnded(receiver.name, "Unreadable", now));
      }
    }

    @Override
    public void lost(Party party, Throwable cause) {
      if (cause instanceof ReadFault) {
        unreadable(party, String.valueOf(cause.getMessage()));
      } else {
        fault = cause;
      }
    }

    @Override
    public void resume() {
      desk.resume();
    }

    @Override
    public void execute(Runnable task) {
      desk.world.atClients(task);
    }
  }

  private static @Nullable Ticket ticketOf(Effect effect) {
    return switch (effect) {
      case Effect.QueueReady ready -> ready.ticket();
      case Effect.QueueChanged changed -> changed.ticket();
      case Effect.Refused refused -> refused.ticket();
      default -> null;
    };
  }

  /** An entity is there, is otherwise, or is no more. */
  private void noteEntity(Effect effect, Operation operation) {
    if (effect instanceof Effect.QueueReady ready) {
      var definition =
          switch (operation) {
            case Operation.CreateQueue create ->
                Definitions.queue(create.path(), create.properties());
            case Operation.CreateTopic create ->
                Definitions.topic(create.path(), create.properties());
            case Operation.CreateSubscription create ->
                Definitions.subscription(create.path(), create.properties());
            default -> throw new IllegalStateException("made by " + operation);
          };
      desk.directory.put(new Directory.Entity(ready.queue(), ready.deadLetterQueue(), definition));
    } else if (effect instanceof Effect.QueueChanged
        && operation instanceof Operation.Delete gone) {
      desk.directory.remove(gone.path());
    }
  }
}
