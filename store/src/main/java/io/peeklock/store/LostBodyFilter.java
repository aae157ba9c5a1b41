package io.peeklock.store;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.EntityFact;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.MessagesRestored;
import io.peeklock.store.BodySource.Condition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Checks every body of a salvaged state, and leaves out the messages whose body is lost. */
final class LostBodyFilter {
  private final Salvage salvage;
  private final BodySource bodies;
  private final Set<Long> left = new HashSet<>();
  private long kept;

  LostBodyFilter(Salvage salvage, BodySource bodies) {
    this.salvage = salvage;
    this.bodies = bodies;
  }

  /** Checks all bodies, and notes in the ledgers what is kept and what is not. */
  void look() throws IOException {
    StateParts.walk(salvage.machine(), new Looking());
  }

  /** Checks the parts of the state that have bodies. */
  private final class Looking implements StateParts {
    @Override
    public void namespace(Fact.NamespaceDescribed namespace) {}

    @Override
    public void queue(EntityFact.QueueRestored queue) {}

    @Override
    public void rules(Fact.RulesDescribed rules) {}

    @Override
    public void messages(MessagesRestored messages) throws IOException {
      look(messages);
    }

    @Override
    public void copied(Fact.CopyCursorRestored cursor) {}

    @Override
    public void ids(Fact.MessageIdsRestored ids) {}

    @Override
    public void states(Fact.SessionStatesRestored states) throws IOException {
      look(states);
    }
  }

  private SequenceLedger ledger(QueueId queue) {
    var ledger = salvage.ledgers().get(queue.number());
    if (ledger == null) {
      throw new IllegalStateException("every queue has an account");
    }
    return ledger;
  }

  private void look(MessagesRestored messages) throws IOException {
    var ledger = ledger(messages.queue());
    for (var i = 0; i < messages.bodyIds().length; i++) {
      var number = messages.sequenceNumbers()[i];
      var condition = bodies.look(messages.bodyIds()[i]);
      if (condition != Condition.INTACT) {
        left.add(messages.bodyIds()[i]);
        ledger.leaveOut(number, condition == Condition.GONE);
        continue;
      }
      ledger.keep(number);
      kept++;
      var overlay = overlay(messages, i);
      if (overlay != null && !keeps(overlay.bodyId())) {
        ledger.loseProperties();
      }
    }
  }

  private void look(Fact.SessionStatesRestored states) throws IOException {
    for (var bodyId : states.bodyIds()) {
      if (!keeps(bodyId)) {
        ledger(states.queue()).loseState();
      }
    }
  }

  private boolean keeps(long bodyId) throws IOException {
    if (bodies.look(bodyId) == Condition.INTACT) {
      kept++;
      return true;
    }
    left.add(bodyId);
    return false;
  }

  /** The number of bodies that are kept, including changed properties and session states. */
  long kept() {
    return kept;
  }

  private static Fact.@Nullable StoredOverlay overlay(MessagesRestored messages, int i) {
    var overlays = messages.overlays();
    return overlays == null ? null : overlays[i];
  }

  /**
   * The messages that are kept, in pieces of at most {@code pieceBytes}, with at least one message
   * each.
   */
  List<MessagesRestored> kept(MessagesRestored messages, long pieceBytes) {
    return pieces(messages.bodyIds(), messages.sizes(), pieceBytes).stream()
        .map(rows -> rows(messages, rows))
        .toList();
  }

  /** The same for session states. */
  List<Fact.SessionStatesRestored> kept(Fact.SessionStatesRestored states, long pieceBytes) {
    return pieces(states.bodyIds(), states.sizes(), pieceBytes).stream()
        .map(rows -> rows(states, rows))
        .toList();
  }

  private List<int[]> pieces(long[] bodyIds, int[] sizes, long pieceBytes) {
    var pieces = new ArrayList<int[]>();
    var rows = IntStream.builder();
    var count = 0;
    var bytes = 0L;
    for (var i = 0; i < bodyIds.length; i++) {
      if (left.contains(bodyIds[i])) {
        continue;
      }
      if (count > 0 && bytes + sizes[i] > pieceBytes) {
        pieces.add(rows.build().toArray());
        rows = IntStream.builder();
        count = 0;
        bytes = 0;
      }
      rows.add(i);
      count++;
      bytes += sizes[i];
    }
    if (count > 0) {
      pieces.add(rows.build().toArray());
    }
    return pieces;
  }

  private MessagesRestored rows(MessagesRestored all, int[] places) {
    var expiries = all.expiresAtMillis();
    var counts = all.deliveryCounts();
    var deferred = all.deferred();
    var causes = all.causes();
    var sessions = all.sessionIds();
    var enqueued = all.enqueuedNumbers();
    return new MessagesRestored(
        all.queue(),
        longs(all.sequenceNumbers(), places),
        longs(all.bodyIds(), places),
        ints(all.sizes(), places),
        ints(all.headerBytes(), places),
        longs(all.enqueuedAtMillis(), places),
        expiries == null ? null : longs(expiries, places),
        counts == null ? null : ints(counts, places),
        deferred == null ? null : flags(deferred, places),
        causes == null ? null : causes(causes, places),
        overlays(all, places),
        sessions == null ? null : texts(sessions, places),
        all.scheduled(),
        enqueued == null ? null : longs(enqueued, places),
        null, // in a repaired log bodies are not shared
        all.hops() == null ? null : ints(all.hops(), places),
        all.deadLetterSources() == null ? null : texts(all.deadLetterSources(), places));
  }

  private static Fact.SessionStatesRestored rows(Fact.SessionStatesRestored all, int[] places) {
    return new Fact.SessionStatesRestored(
        all.queue(),
        texts(all.sessionIds(), places),
        longs(all.bodyIds(), places),
        ints(all.sizes(), places),
        longs(all.setAtMillis(), places));
  }

  private static long[] longs(long[] all, int[] rows) {
    var some = new long[rows.length];
    for (var i = 0; i < rows.length; i++) {
      some[i] = all[rows[i]];
    }
    return some;
  }

  private static int[] ints(int[] all, int[] rows) {
    var some = new int[rows.length];
    for (var i = 0; i < rows.length; i++) {
      some[i] = all[rows[i]];
    }
    return some;
  }

  private static DeadLetterCause[] causes(DeadLetterCause[] all, int[] rows) {
    var some = new DeadLetterCause[rows.length];
    for (var i = 0; i < rows.length; i++) {
      some[i] = all[rows[i]];
    }
    return some;
  }

  private static String[] texts(String[] all, int[] rows) {
    var some = new String[rows.length];
    for (var i = 0; i < rows.length; i++) {
      some[i] = all[rows[i]];
    }
    return some;
  }

  private static boolean[] flags(boolean[] all, int[] rows) {
    var some = new boolean[rows.length];
    for (var i = 0; i < rows.length; i++) {
      some[i] = all[rows[i]];
    }
    return some;
  }

  private Fact.@Nullable StoredOverlay @Nullable [] overlays(MessagesRestored all, int[] rows) {
    if (all.overlays() == null) {
      return null;
    }
    Fact.@Nullable StoredOverlay[] some = new Fact.StoredOverlay[rows.length];
    for (var i = 0; i < rows.length; i++) {
      var overlay = overlay(all, rows[i]);
      some[i] = overlay == null || left.contains(overlay.bodyId()) ? null : overlay;
    }
    return some;
  }
}
