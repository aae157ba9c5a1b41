package io.peeklock.simulator.bugs;

import io.peeklock.simulator.bugs.SeededBug.Kind;
import java.util.List;

/** Bugs that the broker once had, as it had them. */
final class PastBugs {
  static final List<SeededBug> ALL =
      List.of(
          SeededBug.of("refused, and the second is its duplicate", "case 10 as it was", Kind.LOSS)
              .in(
                  "kernel.send.SendValidation",
                  "int earlier = ids.add(i, fits);",
                  "int earlier = ids.add(i, true);"),
          SeededBug.of(
                  "each read clears what the one before brought",
                  "case 33 as it was",
                  Kind.LIVENESS)
              .in(
                  "runtime.MessageReads",
                  "round = new Round(missing);",
                  "read.clear(); round = new Round(missing);"),
          SeededBug.of("read before it is appended", "C31 as it was", Kind.LIVENESS)
              .in(
                  "runtime.MessageReads",
                  "round = new Round(missing);",
                  "round = new Round(missing); round.begin();")
              .in(
                  "runtime.MessageReads",
                  "read.clear(); lost.clear(); watch.goesOn();",
                  "read.clear(); watch.goesOn();")
              .in(
                  "runtime.MessageReads",
                  "if (wanted != null && !wanted.begun) {",
                  "if (wanted != null && !wanted.begun && isReading()) {"),
          SeededBug.of("a state in a transaction is done at once", "C49 as it was", Kind.ATOMICITY)
              .in(
                  "simulator.client.Transactions",
                  "state.submit(new TransactionRequest.CheckSessionState(dispatcher));",
                  """
                  state.submit(new Submission(
                      requests.setState(
                          operation.set(), queue, new StateCheck(asked, in, set, bytes)),
                      null,
                      bytes));
                  """)
              .in(
                  "simulator.client.Transactions",
                  "what.in().states.put(name, new OpenTransaction.State(what.set(),"
                      + " what.bytes()));",
                  ""),
          SeededBug.of("states need no memory", "case 34 as it was", Kind.SPACE)
              .in(
                  "kernel.session.SessionStateHandler",
                  "Refusal overShare = overShare(state, queue, session, set.bytes());",
                  "Refusal overShare = null;"),
          SeededBug.of("after a rollback nobody can settle", "C32 as it was", Kind.LOCK)
              .in(
                  "kernel.transaction.TransactionHandler",
                  "new DecisionBuilder().add(new Grant.TransactionOver(rollback.transaction()));",
                  "new DecisionBuilder();"));

  private PastBugs() {}
}
