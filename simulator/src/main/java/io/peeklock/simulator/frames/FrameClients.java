package io.peeklock.simulator.frames;

import io.peeklock.runtime.Shard;
import io.peeklock.simulator.client.Client;
import io.peeklock.simulator.client.Numbers;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Clients;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.BrokerFailed;
import io.peeklock.simulator.world.World;
import io.peeklock.simulator.world.WorldListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the broker's edge, who speak AMQP with it over connections of their own. Entities are
 * administered, and counted, by the clients of the other depth.
 */
public final class FrameClients implements Clients, WorldListener {
  private static final int TROUBLE_EVERY = 15;
  private static final List<Integer> FRAME_BYTES = List.of(1_000, 9_000, 65_536);
  private static final List<Integer> WINDOWS = List.of(2, 10, 100, 1_000);
  private static final String DEAD_LETTERS = "/$DeadLetterQueue";

  private final World world;
  private final Auditor auditor;
  private final Numbers numbers = new Numbers();
  private final Locks locks = new Locks();
  private final Client administration;
  private final Habits habits;
  private final List<ClientConnection> connections = new ArrayList<>();
  private final List<Peer> peers = new ArrayList<>();
  private BrokerEdge edge;
  private Ledger ledger;
  private boolean hasLeft;

  /**
   * Clients of this world; it tells nobody else.
   *
   * @param seed says how they use connections
   */
  public FrameClients(World world, Auditor auditor, long seed) {
    this.world = world;
    this.habits = Habits.of(seed);
    this.auditor = auditor;
    this.administration = new Client(world, auditor, numbers);
    this.edge = new BrokerEdge(world, world.shard());
    this.ledger = new Ledger(world, auditor, numbers, locks);
    world.tell(this);
  }

  @Override
  public boolean mayAsk() {
    return !hasLeft && administration.mayAsk();
  }

  @Override
  public boolean ask(Operation operation) {
    var random = world.random();
    if (mayHaveTrouble(operation) && random.oneIn(TROUBLE_EVERY)) {
      suffer(random.of(connections), random.of(habits.troubles()));
    }
    var isAsked = mayAsk() && dispatch(operation);
    move();
    return isAsked;
  }

  /** Who only looks has none, so that what is stored can be listed. */
  private boolean mayHaveTrouble(Operation operation) {
    return !habits.troubles().isEmpty()
        && !connections.isEmpty()
        && !(operation instanceof Operation.Peek)
        && !(operation instanceof Operation.Count);
  }

  private void suffer(ClientConnection client, Habits.Trouble trouble) {
    if (!client.isOver()) {
      auditor.troubled(trouble.name(), world.nowMillis());
      client.suffer(trouble);
    }
  }

  private boolean dispatch(Operation operation) {
    return switch (operation) {
      case Operation.CreateQueue create -> administration.ask(create);
      case Operation.CreateTopic create -> administration.ask(create);
      case Operation.CreateSubscription create -> administration.ask(create);
      case Operation.Update update -> administration.ask(update);
      case Operation.Delete delete -> administration.ask(delete);
      case Operation.AddRule add -> administration.ask(add);
      case Operation.RemoveRule remove -> administration.ask(remove);
      case Operation.Count count -> administration.ask(count);
      case Operation.DeleteMessages delete -> administration.ask(delete);
      case Operation.Send send -> send(send);
      case Operation.OpenReceiver open -> by(client -> client.open(open, world.random()));
      case Operation.AcceptSession accept -> by(client -> client.accept(accept, world.random()));
      case Operation.Credit credit -> credit(credit);
      case Operation.Drain drain -> drain(drain);
      case Operation.CloseReceiver close -> close(close);
      case Operation.Settle settle -> settle(settle);
      default -> request(operation) || inTransaction(operation);
    };
  }

  /** What is asked of a management node. */
  private boolean request(Operation operation) {
    return switch (operation) {
      case Operation.CancelScheduled cancel -> by(client -> client.management().cancel(cancel));
      case Operation.Renew renew -> by(client -> client.management().renew(renew));
      case Operation.Peek peek -> by(client -> client.management().peek(peek));
      case Operation.ReceiveDeferred receive ->
          by(
              holder(receive.receiver()),
              client ->
                  client
                      .management()
                      .receiveDeferred(receive, sessionOf(client, receive.receiver())));
      case Operation.RenewSession renew ->
          by(holder(renew.receiver()), client -> client.management().renewSession(renew));
      case Operation.GetState get ->
          by(holder(get.receiver()), client -> client.management().getState(get));
      case Operation.SetState set ->
          by(holder(set.receiver()), client -> client.management().setState(set, set, null));
      default -> false;
    };
  }

  private boolean inTransaction(Operation operation) {
    return switch (operation) {
      case Operation.Declare declare -> by(client -> client.declare(declare));
      case Operation.SendIn send -> in(send.transaction(), client -> client.sendIn(send));
      case Operation.SettleIn settle ->
          in(settle.transaction(), client -> settleIn(client, settle));
      case Operation.SetStateIn set -> in(set.transaction(), client -> client.setStateIn(set));
      case Operation.Discharge discharge ->
          in(discharge.transaction(), client -> client.discharge(discharge));
      default -> false;
    };
  }

  private boolean by(Consumer<SessionLinks> asks) {
    return by(client(), asks);
  }

  private static boolean by(@Nullable SessionLinks client, Consumer<SessionLinks> asks) {
    if (client != null) {
      asks.accept(client);
    }
    return client != null;
  }

  private boolean in(String transaction, Consumer<SessionLinks> asks) {
    for (var client : connections) {
      if (!client.isOver() && client.links().has(transaction)) {
        return by(client.links(), asks);
      }
    }
    return false;
  }

  /** Where a receiver is, as there alone one can speak of its session; else any client. */
  private @Nullable SessionLinks holder(@Nullable String receiver) {
    for (var client : connections) {
      if (receiver != null && !client.isOver() && client.links().receiver(receiver) != null) {
        return client.links();
      }
    }
    return client();
  }

  private static @Nullable String sessionOf(SessionLinks client, @Nullable String receiver) {
    var known = receiver == null ? null : client.receiver(receiver);
    return known == null ? null : known.sessionId();
  }

  /** One that is connected, and has rights; null when none is so far. */
  private @Nullable SessionLinks client() {
    connections.removeIf(ClientConnection::isOver);
    while (connections.size() < habits.connections()) {
      connect();
    }
    var ready = connections.stream().filter(ClientConnection::isReady).toList();
    return ready.isEmpty() ? null : world.random().of(ready).links();
  }

  private void connect() {
    var random = world.random();
    var settings =
        new Peer.Settings(
            habits.putsTokens() ? null : BrokerEdge.LOGIN,
            BrokerEdge.KEY,
            random.of(FRAME_BYTES),
            random.of(WINDOWS),
            random.of(0L, 20_000L));
    var peer = new Peer(world, edge.accept(), settings);
    peers.add(peer);
    connections.add(new ClientConnection(world, ledger, peer, habits.putsTokens()));
  }

  private boolean send(Operation.Send send) {
    return !send.path().endsWith(DEAD_LETTERS) && by(client -> client.send(send));
  }

  /** The receiver of a name that can be asked for something; null for none. */
  private @Nullable ReceiverLink attached(String name) {
    for (var client : connections) {
      var receiver = client.isOver() ? null : client.links().receiver(name);
      if (receiver != null && receiver.isAttached()) {
        return receiver;
      }
    }
    return null;
  }

  private boolean credit(Operation.Credit credit) {
    var receiver = attached(credit.receiver());
    if (receiver == null || receiver.isDraining()) {
      return false;
    }
    receiver.credit(credit);
    return true;
  }

  private boolean drain(Operation.Drain drain) {
    var receiver = attached(drain.receiver());
    if (receiver == null || receiver.isDraining()) {
      return false;
    }
    receiver.drain(drain);
    return true;
  }

  private boolean close(Operation.CloseReceiver close) {
    var receiver = attached(close.receiver());
    if (receiver == null) {
      return false;
    }
    receiver.close(close, world.random().oneIn(2));
    return true;
  }

  private boolean settle(Operation.Settle settle) {
    var dispositions = new Dispositions(ledger);
    var on = dispositions.linkOf(settle.lockIds());
    if (on == null) {
      return by(
          holder(settle.receiver()),
          client ->
              client
                  .management()
                  .settle(settle, settle, sessionOf(client, settle.receiver()), null));
    }
    dispositions.settle(on, settle);
    return true;
  }

  private void settleIn(SessionLinks client, Operation.SettleIn settle) {
    var on = new Dispositions(ledger).linkOf(settle.settle().lockIds());
    client.settleIn(
        settle,
        on != null && client.isOf(on) ? on : null,
        sessionOf(client, settle.settle().receiver()));
  }

  @Override
  public List<String> entities() {
    return administration.entities();
  }

  /** Has what is under way come nearer. */
  private void move() {
    peers.forEach(Peer::move);
    peers.removeIf(Peer::isGone);
  }

  @Override
  public void turned() {
    administration.turned();
    move();
  }

  @Override
  public void restarted(Shard shard) {
    connections.clear();
    peers.clear();
    locks.restarted();
    ledger = new Ledger(world, auditor, numbers, locks);
    edge = new BrokerEdge(world, shard);
    administration.restarted(shard);
  }

  @Override
  public void rests() {
    turned();
    if (!ledger.unanswered().isEmpty()) {
      throw new BrokerFailed(
          "never answered over a connection: "
              + ledger.unanswered().entrySet().stream()
                  .limit(5)
                  .map(String::valueOf)
                  .collect(Collectors.joining(", ")));
    }
    if (hasLeft) {
      edge.checkNothingIsLeft();
    }
    administration.rests();
  }

  @Override
  public boolean leave() {
    hasLeft = true;
    connections.forEach(client -> client.peer().close());
    move();
    return true;
  }
}
