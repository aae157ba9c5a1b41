package io.peeklock.simulator.client;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.ReadFault;
import io.peeklock.runtime.Shard;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Clients;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.BrokerFailed;
import io.peeklock.simulator.world.World;
import io.peeklock.simulator.world.WorldListener;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All clients of a world's broker: asks what is to be asked, and tells an {@link Auditor} of it and
 * of all that comes of it, in the order in which the broker decided.
 */
public final class Client implements Clients, WorldListener {
  private final Auditor auditor;
  private final ClientState state;
  private final Transactions transactions;
  private final RequestDispatcher dispatcher;
  private final Responses responses;
  private @Nullable Throwable fault;
  private boolean hasLeft;

  /** Clients of this world; it tells nobody else. */
  public Client(World world, Auditor auditor) {
    this(world, auditor, new Numbers());
  }

  /**
   * The same beside others, who then have to hand on what the world tells.
   *
   * @param numbers of what all of them ask
   */
  public Client(World world, Auditor auditor, Numbers numbers) {
    this.auditor = auditor;
    this.state = new ClientState(world, auditor, new EffectListener(), numbers);
    var requests = new Requests(state);
    this.transactions = new Transactions(state, requests);
    this.dispatcher = new RequestDispatcher(state, requests, transactions);
    this.responses = new Responses(state, transactions);
    world.tell(this);
  }

  @Override
  public boolean mayAsk() {
    return state.mayAsk() && !state.isAdministering();
  }

  @Override
  public boolean ask(Operation operation) {
    return mayAsk() && dispatcher.ask(operation);
  }

  @Override
  public List<String> entities() {
    return state.directory.paths();
  }

  /**
   * Nothing is under way and no fault at work: every question must have been answered.
   *
   * @throws BrokerFailed when one is not
   */
  @Override
  public void rests() {
    turned();
    if (!state.unanswered.isEmpty()) {
      throw new BrokerFailed(
          "never answered: "
              + state.unanswered.entrySet().stream()
                  .limit(5)
                  .map(String::valueOf)
                  .collect(Collectors.joining(", ")));
    }
    if (state.recorder.pending() > 0) {
      throw new BrokerFailed(state.recorder.pending() + " times something decided was never told");
    }
    if (!state.mayAsk()) {
      throw new BrokerFailed("who was told to stop was never told to go on");
    }
    if (hasLeft) {
      state.world.checkNothingIsLeft();
    }
    auditor.atRest(state.nowMillis());
  }

  @Override
  public boolean leave() {
    ask(new Operation.EmptyNamespace(false));
    hasLeft = true;
    return true;
  }

  @Override
  public void turned() {
    var broken = fault;
    if (broken != null) {
      throw new BrokerFailed("an answer could not be told", broken);
    }
    state.recorder.tell();
  }

  @Override
  public void restarted(Shard shard) {
    state.recorder.tellAll();
    transactions.restarted();
    state.restarted(shard);
    auditor.restarted(state.nowMillis());
  }

  private final class EffectListener implements SimEndpoint.Listener {
    @Override
    public HistoryRecorder.Event decided(Effect effect) {
      var ticket = ticketOf(effect);
      if (ticket instanceof PendingRequest asked) {
        noteEntity(effect, asked.operation());
        if (!isMadeAgain(effect, asked.operation())) {
          state.decided(asked);
        }
      }
      return state.recorder.open(state.nowMillis());
    }

    @Override
    public void told(
        SimEndpoint to, Effect effect, @Nullable Bodies bodies, HistoryRecorder.Event event) {
      responses.told(to, effect, bodies, event);
    }

    @Override
    public void skipped(SimEndpoint to, Effect effect, HistoryRecorder.Event event) {
      var receiver = to.receiver();
      if (receiver == null) {
        responses.unreadable(effect, event);
      } else {
        event.write(auditor -> auditor.undelivered(receiver.name, event.millis));
      }
    }

    @Override
    public void unreadable(SimEndpoint endpoint, String reason) {
      var receiver = endpoint.receiver();
      if (receiver == null) {
        endpoint.skip();
      } else if (!receiver.isOver) {
        receiver.isOver = true;
        endpoint.giveUp();
        var now = state.nowMillis();
        state.recorder.add(to -> to.undelivered(receiver.name, now));
        state.recorder.add(to -> to.receiverEnded(receiver.name, "Unreadable", now));
      }
    }

    @Override
    public void lost(SimEndpoint endpoint, Throwable cause) {
      if (cause instanceof ReadFault) {
        unreadable(endpoint, String.valueOf(cause.getMessage()));
      } else {
        fault = cause;
      }
    }

    @Override
    public void resume() {
      state.resume();
    }

    @Override
    public void execute(Runnable task) {
      state.world.atClients(task);
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

  /** Who they are then the catalogue says, once that is durable. */
  static boolean isMadeAgain(Effect effect, Operation operation) {
    return effect instanceof Effect.QueueChanged
        && operation instanceof Operation.EmptyNamespace empty
        && empty.keepsEntities();
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
      state.directory.put(new Directory.Entity(ready.queue(), ready.deadLetterQueue(), definition));
    } else if (effect instanceof Effect.QueueChanged
        && operation instanceof Operation.Delete gone) {
      state.directory.remove(gone.path());
    } else if (effect instanceof Effect.QueueChanged
        && operation instanceof Operation.EmptyNamespace empty
        && !empty.keepsEntities()) {
      state.directory.clear();
    }
  }
}
