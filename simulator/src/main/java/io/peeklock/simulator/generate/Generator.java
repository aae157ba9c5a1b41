package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.Chance;
import org.jspecify.annotations.Nullable;

/**
 * Draws the steps of a run. A step depends on its own chance and on what clients know by then, and
 * on nothing else, so that steps can be left out of a run and the others stay alike.
 */
public final class Generator {
  private final Swarm swarm;
  private final Known known = new Known();
  private final Entities entities;
  private final Sends sends;
  private final Receives receives;
  private final int allWeights;

  /** A generator for runs of this kind. */
  public Generator(Swarm swarm) {
    this.swarm = swarm;
    this.entities = new Entities(swarm, known);
    this.sends = new Sends(swarm, known, entities);
    this.receives = new Receives(swarm, known, entities);
    this.allWeights = swarm.weights().values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Who must hear what happens, so that the generator knows it. */
  public Auditor ears() {
    return known;
  }

  /** The next step. */
  public Step next(Chance chance) {
    if (known.entities.size() * 2 < entities.most() && !chance.oneIn(3)) {
      return new Step.Ask(entities.create(chance));
    }
    var move = move(chance);
    return switch (move) {
      case TURNS -> new Step.Turns(chance.between(1, 30));
      case PASS -> new Step.Pass(chance.of(1, 50, 400, 2_500) * (long) chance.between(1, 5));
      case STRIKE ->
          swarm.faults().isEmpty() ? new Step.Turns(1) : new Step.Strike(chance.of(swarm.faults()));
      case REST -> chance.oneIn(4) ? new Step.Rest() : new Step.Turns(5);
      default -> {
        var operation = operation(move, chance);
        yield operation == null ? new Step.Turns(3) : new Step.Ask(operation);
      }
    };
  }

  private Move move(Chance chance) {
    var at = chance.below(allWeights);
    for (var entry : swarm.weights().entrySet()) {
      at -= entry.getValue();
      if (at < 0) {
        return entry.getKey();
      }
    }
    throw new IllegalStateException("weights that sum up to less than they are");
  }

  private @Nullable Operation operation(Move move, Chance chance) {
    return switch (move) {
      case CREATE -> entities.create(chance);
      case UPDATE -> entities.update(chance);
      case DELETE -> entities.delete(chance);
      case ADD_RULE -> entities.addRule(chance);
      case REMOVE_RULE -> entities.removeRule(chance);
      case COUNT -> entities.count(chance);
      case DELETE_MESSAGES -> entities.deleteMessages(chance);
      case SEND -> sends.one(chance);
      case SEND_BATCH -> sends.several(chance);
      case SCHEDULE -> sends.schedule(chance);
      case CANCEL -> sends.cancel(chance);
      case OPEN -> receives.open(chance);
      case ACCEPT -> receives.accept(chance);
      case CREDIT -> receives.credit(chance);
      case DRAIN -> receives.drain(chance);
      case CLOSE -> receives.close(chance);
      case COMPLETE -> receives.complete(chance);
      case SETTLE -> receives.settle(chance);
      case SETTLE_OLD -> receives.settleOld(chance);
      case RENEW -> receives.renew(chance);
      case RENEW_SESSION -> receives.renewSession(chance);
      case GET_STATE -> receives.getState(chance);
      case SET_STATE -> receives.setState(chance);
      case DEFERRED -> receives.receiveDeferred(chance);
      case PEEK -> receives.peek(chance);
      case DECLARE -> receives.declare();
      case SEND_IN -> sends.inTransaction(chance);
      case SETTLE_IN -> receives.settleIn(chance);
      case STATE_IN -> receives.setStateIn(chance);
      case DISCHARGE -> receives.discharge(chance);
      case TURNS, PASS, STRIKE, REST -> throw new IllegalArgumentException("asks nothing");
    };
  }
}
