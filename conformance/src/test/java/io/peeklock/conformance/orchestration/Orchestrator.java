package io.peeklock.conformance.orchestration;

import io.peeklock.conformance.orchestration.Conversation.Delivery;
import io.peeklock.conformance.raw.RawLinks;
import io.peeklock.conformance.raw.RawMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts whatever orchestration has a message, reads its state, and takes messages: the new state,
 * what it gives rise to, and that the message is done, in one transaction. Every tenth is rolled
 * back and tried again on the same link.
 */
final class Orchestrator implements Stage.Part {
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final long SESSION = 1;
  private static final long TO_STEPS = 2;
  private static final long TO_WORK = 3;
  private static final long TO_LEDGER = 4;
  private static final long WAIT_MILLIS = 300;
  private static final int ALLOWANCE_MILLIS = 20;
  private static final int MOST_MESSAGES = 3;
  private static final int ONE_IN = 10;

  private final Stage stage;
  private final Random chance;
  private final boolean setsStatesInTransactions;

  /** One thing of those that a transaction does, in any order. */
  private interface Act {
    void in(byte[] transaction) throws IOException;
  }

  Orchestrator(Stage stage, long seed, boolean setsStatesInTransactions) {
    this.stage = stage;
    this.chance = new Random(seed);
    this.setsStatesInTransactions = setsStatesInTransactions;
  }

  @Override
  public void on(Conversation conversation) throws IOException {
    conversation.sender(TO_STEPS, Stage.STEPS);
    conversation.sender(TO_WORK, Stage.WORK);
    conversation.sender(TO_LEDGER, Stage.LEDGER);
    var states = new SessionStates(conversation, Stage.STEPS);
    while (!stage.over()) {
      var answer =
          conversation.attach(
              RawLinks.sessionReceiver(
                  "session-" + NAMES.incrementAndGet(),
                  SESSION,
                  Stage.STEPS,
                  null,
                  WAIT_MILLIS,
                  false));
      var session = RawLinks.sessionOf(answer);
      if (session == null) {
        conversation.refused(SESSION);
      } else {
        hold(conversation, states, session, conversation.incoming(SESSION, answer));
        conversation.detach(SESSION);
      }
    }
  }

  private void hold(
      Conversation conversation,
      SessionStates states,
      String session,
      Conversation.Incoming messages)
      throws IOException {
    for (var most = MOST_MESSAGES; most > 0 && !stage.over(); most--) {
      var state = states.read(session);
      var delivery = conversation.next(messages);
      if (delivery == null) {
        return;
      }
      var step = Step.parse(delivery.message());
      if (!judged(session, state, step)) {
        return;
      }
      while (!take(conversation, states, state, step, delivery)) {
        var after = states.read(session);
        if (!after.equals(state)) {
          stage.violated(step.name() + " was rolled back, but " + state + " became " + after);
          return;
        }
      }
      stage.committed.incrementAndGet();
    }
  }

  private boolean judged(String session, State state, Step step) {
    var early = step.dueMillis() - System.currentTimeMillis();
    if (!session.equals(step.instance())) {
      stage.violated(step.name() + " came in the session " + session);
    } else if (early > ALLOWANCE_MILLIS) {
      stage.violated(step.name() + " came " + early + " ms before its time");
    } else if (!state.waitsFor(step)) {
      stage.violated(step.name() + " came to " + state);
    } else {
      return true;
    }
    return false;
  }

  /** One message in one transaction; false when that was rolled back. */
  private boolean take(
      Conversation conversation, SessionStates states, State state, Step step, Delivery delivery)
      throws IOException {
    var next = state.with(step);
    var acts = new ArrayList<Act>();
    acts.add(
        transaction ->
            states.set(step.instance(), next, setsStatesInTransactions ? transaction : null));
    acts.add(transaction -> conversation.complete(delivery, transaction));
    acts.add(transaction -> enter(conversation, step.name(), transaction));
    if (next.step() > state.step()) {
      acts.add(transaction -> goOn(conversation, step, next, transaction));
    }
    Collections.shuffle(acts, chance);
    var transaction = conversation.declare();
    for (var act : acts) {
      act.in(transaction);
    }
    var rollsBack = chance.nextInt(ONE_IN) == 0;
    if (!conversation.discharge(transaction, rollsBack)) {
      stage.refused.incrementAndGet();
      throw new IOException("a transaction was refused"); // a session that was lost meanwhile
    }
    if (rollsBack) {
      stage.rolledBack.incrementAndGet();
    }
    return !rollsBack;
  }

  private void goOn(Conversation conversation, Step step, State next, byte[] transaction)
      throws IOException {
    if (stage.plan.isComplete(next)) {
      enter(conversation, step.instance() + "/" + Stage.COMPLETE, transaction);
    }
    var to = Plan.isWork(step.number()) ? TO_WORK : TO_STEPS;
    for (var message : stage.plan.after(step, chance)) {
      conversation.send(to, false, message.message(), transaction);
    }
  }

  private static void enter(Conversation conversation, String id, byte[] transaction)
      throws IOException {
    var entry = RawMessage.bytes(id, Map.of(), id.getBytes(StandardCharsets.UTF_8));
    conversation.send(TO_LEDGER, false, entry, transaction);
  }
}
