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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Clients of the broker's edge, who speak AMQP with it over connections of their own. Entities are
 * administered, and counted, by the clients of the other depth.
 */
public final class FrameClients implements Clients, WorldListener {
  private static final String DEAD_LETTERS = "/$DeadLetterQueue";

  private final World world;
  private final Auditor auditor;
  private final Numbers numbers = new Numbers();
  private final Locks locks = new Locks();
  private final Client administration;
  private final List<ClientConnection> connections = new ArrayList<>();
  private BrokerEdge edge;
  private Ledger ledger;

  /** Clients of this world; it tells nobody else. */
  public FrameClients(World world, Auditor auditor) {
    this.world = world;
    this.auditor = auditor;
    this.administration = new Client(world, auditor, numbers);
    this.edge = new BrokerEdge(world, world.shard());
    this.ledger = new Ledger(world, auditor, numbers, locks);
    world.tell(this);
  }

  @Override
  public boolean mayAsk() {
    return administration.mayAsk();
  }

  @Override
  public boolean ask(Operation operation) {
    var isAsked =
        mayAsk()
            && switch (operation) {
              case Operation.Send send -> send(send);
              case Operation.OpenReceiver open -> {
                client().open(open, world.random());
                yield true;
              }
              case Operation.AcceptSession accept -> {
                client().accept(accept, world.random());
                yield true;
              }
              case Operation.Credit credit -> credit(credit);
              case Operation.Drain drain -> drain(drain);
              case Operation.CloseReceiver close -> close(close);
              case Operation.Settle settle -> settle(settle);
              default -> isForAdministration(operation) && administration.ask(operation);
            };
    move();
    return isAsked;
  }

  private static boolean isForAdministration(Operation operation) {
    return switch (operation) {
      case Operation.CreateQueue ignored -> true;
      case Operation.CreateTopic ignored -> true;
      case Operation.CreateSubscription ignored -> true;
      case Operation.Update ignored -> true;
      case Operation.Delete ignored -> true;
      case Operation.AddRule ignored -> true;
      case Operation.RemoveRule ignored -> true;
      case Operation.Count ignored -> true;
      case Operation.DeleteMessages ignored -> true;
      default -> false;
    };
  }

  /** One that is connected. */
  private ClientConnection client() {
    connections.removeIf(ClientConnection::isOver);
    if (connections.isEmpty()) {
      var settings = new Peer.Settings(BrokerEdge.LOGIN, BrokerEdge.KEY, 9_000, 100, 0);
      connections.add(new ClientConnection(ledger, new Peer(world, edge.accept(), settings)));
    }
    return world.random().of(connections);
  }

  private boolean send(Operation.Send send) {
    if (send.path().endsWith(DEAD_LETTERS)) {
      return false;
    }
    client().send(send);
    return true;
  }

  /** The receiver of a name that can be asked for something; null for none. */
  private @Nullable ReceiverLink attached(String name) {
    for (var connection : connections) {
      var receiver = connection.receiver(name);
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
      return false;
    }
    dispositions.settle(on, settle);
    return true;
  }

  @Override
  public List<String> entities() {
    return administration.entities();
  }

  /** Has what is under way come nearer. */
  private void move() {
    connections.forEach(connection -> connection.peer().move());
  }

  @Override
  public void turned() {
    administration.turned();
    move();
  }

  @Override
  public void restarted(Shard shard) {
    connections.clear();
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
    administration.rests();
  }

  @Override
  public void leave() {
    connections.forEach(connection -> connection.peer().close());
    move();
  }
}
