package io.peeklock.kernel.apply;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ForwardingHistory;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/** Applies facts about forwarded messages. */
final class ForwardApplier {

  private final MachineState state;
  private final TopicApplier topics;

  ForwardApplier(MachineState state, TopicApplier topics) {
    this.state = state;
    this.topics = topics;
  }

  void apply(long index, ForwardFact fact) {
    switch (fact) { // no default: a new fact must be handled to compile
      case ForwardFact.Forwarded forwarded -> forward(index, forwarded);
      case ForwardFact.ForwardPublished published -> topics.publish(index, published);
      case ForwardFact.PartPublished part -> topics.publish(index, part);
      case ForwardFact.ActivatedInBacklog activated ->
          ScheduleApplier.activate(state, index, activated);
      case ForwardFact.Dropped dropped -> drop(dropped);
    }
  }

  private void forward(long index, ForwardFact.Forwarded fact) {
    QueueState source = state.known(fact.source());
    QueueState destination = state.known(fact.destination());
    state.checkNumbersConsecutive(destination, fact.firstSequenceNumber());
    state.beforeInsert(destination.messages().chunks(), fact.firstSequenceNumber());
    for (int k = 0; k < fact.sequenceNumbers().length; k++) {
      long place = state.find(source, fact.sequenceNumbers()[k]);
      if (place != Place.NONE) {
        move(index, fact, k, source, place, destination);
      }
    }
    destination.remember(fact.messageIdHashes(), fact.enqueuedAtMillis());
    destination.numbersUsedUpTo(fact.firstSequenceNumber() + fact.sequenceNumbers().length);
    state.refresh(source);
    state.refresh(destination);
  }

  private void move(
      long index,
      ForwardFact.Forwarded fact,
      int k,
      QueueState source,
      long place,
      QueueState destination) {
    MessageIndex.Row row = destination.messages().open(fact.firstSequenceNumber() + k);
    Chunk chunk = row.chunk();
    Chunk from = source.messages().chunk(place);
    int fromRow = Place.row(place);
    moveRow(chunk, row.row(), source, from, fromRow);
    chunk.setForwardings(
        row.row(),
        onward(state.forwardings, source, from.forwardings(fromRow), fact.deadLetterSource()));
    long[] expiries = fact.expiresAtMillis();
    chunk.fillTimes(row.row(), fact.enqueuedAtMillis(), expiries == null ? FOREVER : expiries[k]);
    String[] sessionIds = fact.sessionIds();
    if (destination.sessions() != null && sessionIds != null) {
      chunk.setSessionSlot(row.row(), destination.sessions().arrived(sessionIds[k]));
    }
    destination.messages().close(row, index);
    moveOverlay(source, destination, chunk.overlaySlot(row.row()));
    source.messages().remove(place);
  }

  /** Changed properties move with their message, and count for its new queue. */
  private void moveOverlay(QueueState source, QueueState destination, int slot) {
    if (slot != 0) {
      int bytes = state.overlays.bytes(slot);
      destination.messages().addBytes(bytes);
      destination.held.overlayCame(bytes);
      source.messages().addBytes(-bytes);
      source.held.overlayLeft(bytes);
    }
  }

  /** Copies everything that a message takes along; its delivery count begins at 0 again. */
  static void moveRow(Chunk chunk, int row, QueueState source, Chunk from, int fromRow) {
    chunk.copyRow(row, from, fromRow);
    chunk.setDeliveryCount(row, 0);
    chunk.setLockSlot(row, 0);
    chunk.setSessionSlot(row, 0);
    if (from.enqueuedNumber(fromRow) == 0 && !source.isForTransfers()) {
      chunk.setEnqueuedNumber(row, from.number(fromRow));
    }
  }

  /** A transfer is no hop (S-292), as the message had not arrived anywhere yet. */
  static int onward(
      ForwardingHistory forwardings,
      QueueState source,
      int before,
      @Nullable String deadLetterSource) {
    return source.isForTransfers() ? before : forwardings.onward(before, deadLetterSource);
  }

  private void drop(ForwardFact.Dropped fact) {
    QueueState queue = state.known(fact.queue());
    for (long number : fact.sequenceNumbers()) {
      long place = state.find(queue, number);
      if (place != Place.NONE) {
        state.remove(queue, place);
      }
    }
    state.refresh(queue);
  }
}
