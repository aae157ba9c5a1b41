package io.peeklock.simulator.generate;

import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.world.RandomSource;
import org.jspecify.annotations.Nullable;

/**
 * Draws the steps of a run. A step depends on its own random and on what clients know by then, and
 * on nothing else, so that steps can be left out of a run and the others stay alike.
 */
public final class Generator {
  private final Swarm swarm;
  private final ObservedState known = new ObservedState();
  private final EntityGenerator entities;
  private final SendGenerator sends;
  private final ReceiveGenerator receives;
  private final int allWeights;

  /** A generator for runs of this kind. */
  public Generator(Swarm swarm) {
    this.swarm = swarm;
    this.entities = new EntityGenerator(swarm, known);
    this.sends = new SendGenerator(swarm, known, entities);
    this.receives = new ReceiveGenerator(swarm, known, entities);
    this.allWeights = swarm.weights().values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Must be told what happens, so that the generator knows it. */
  public Auditor observer() {
    return known;
  }

  /** The next step. */
  public Step next(RandomSource random) {
    if (known.entities.size() * 2 < entities.most() && !random.oneIn(3)) {
      return new Step.Request(entities.create(random));
    }
    var move = move(random);
    return switch (move) {
      case TURNS -> new Step.Turns(random.between(1, 30));
      case PASS -> new Step.Pass(random.of(1, 50, 400, 2_500) * (long) random.between(1, 5));
      case INJECT ->
          swarm.faults().isEmpty() ? new Step.Turns(1) : new Step.Inject(random.of(swarm.faults()));
      case REST -> random.oneIn(4) ? new Step.Rest() : new Step.Turns(5);
      default -> {
        var operation = operation(move, random);
        yield operation == null ? new Step.Turns(3) : new Step.Request(operation);
      }
    };
  }

  private StepKind move(RandomSource random) {
    var at = random.below(allWeights);
    for (var entry : swarm.weights().entrySet()) {
      at -= entry.getValue();
      if (at < 0) {
        return entry.getKey();
      }
    }
    throw new IllegalStateException("weights that sum up to less than they are");
  }

  private @Nullable Operation operation(StepKind move, RandomSource random) {
    return switch (move) {
      case CREATE -> entities.create(random);
      case UPDATE -> entities.update(random);
      case DELETE -> entities.delete(random);
      case ADD_RULE -> entities.addRule(random);
      case REMOVE_RULE -> entities.removeRule(random);
      case REPLACE_RULE -> entities.replaceRule(random);
      case EMPTY -> new Operation.EmptyNamespace(random.oneIn(2));
      case COUNT -> entities.count(random);
      case DELETE_MESSAGES -> entities.deleteMessages(random);
      case SEND -> sends.one(random);
      case SEND_BATCH -> sends.several(random);
      case SCHEDULE -> sends.schedule(random);
      case CANCEL -> sends.cancel(random);
      case OPEN -> receives.open(random);
      case ACCEPT -> receives.accept(random);
      case CREDIT -> receives.credit(random);
      case DRAIN -> receives.drain(random);
      case CLOSE -> receives.close(random);
      case COMPLETE -> receives.complete(random);
      case SETTLE -> receives.settle(random);
      case SETTLE_OLD -> receives.settleOld(random);
      case RENEW -> receives.renew(random);
      case RENEW_SESSION -> receives.renewSession(random);
      case GET_STATE -> receives.getState(random);
      case SET_STATE -> receives.setState(random);
      case DEFERRED -> receives.receiveDeferred(random);
      case PEEK -> receives.peek(random);
      case LIST_SESSIONS -> receives.listSessions(random);
      case DECLARE -> receives.declare();
      case SEND_IN -> sends.inTransaction(random);
      case SEND_VIA -> sends.via(random);
      case CANCEL_IN -> sends.cancelIn(random);
      case SETTLE_IN -> receives.settleIn(random);
      case STATE_IN -> receives.setStateIn(random);
      case DISCHARGE -> receives.discharge(random);
      case TURNS, PASS, INJECT, REST -> throw new IllegalArgumentException("asks nothing");
    };
  }
}
