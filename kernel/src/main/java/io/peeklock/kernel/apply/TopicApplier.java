package io.peeklock.kernel.apply;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ForwardingHistory;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.fact.Copies;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.kernel.fact.ForwardFact;
import io.peeklock.kernel.state.CopyCursor;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.Prefetch;
import io.peeklock.kernel.state.QueueState;
import io.peeklock.kernel.state.ScheduledMessages;
import io.peeklock.kernel.state.SessionTable;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Applies facts about topics: adds rows for the copies, and counts the copies that share a body.
 */
final class TopicApplier {

  private static final int UNCOPIED = -1;

  private final MachineState state;

  TopicApplier(MachineState state) {
    this.state = state;
  }

  /** The messages that are copied. */
  private interface Originals {
    int count();

    long enqueuedAtMillis();

    /** Whether the message is here; it may be absent when facts are missing. */
    boolean has(int message);

    /** Writes down what all copies of a message have in common. */
    void copyInto(int message, Chunk chunk, int row);
  }

  private record Arrived(Fact.Published fact, int[] slots) implements Originals {
    @Override
    public boolean has(int message) {
      return true;
    }

    @Override
    public int count() {
      return slots.length;
    }

    @Override
    public long enqueuedAtMillis() {
      return fact.enqueuedAtMillis();
    }

    @Override
    public void copyInto(int message, Chunk chunk, int row) {
      chunk.fill(
          row, fact.firstBodyId() + message, fact.sizes()[message], fact.headerBytes()[message]);
      chunk.setSharedSlot(row, slots[message]);
      chunk.setEnqueuedNumber(row, fact.firstSequenceNumber() + message);
    }
  }

  private record Due(Fact.ScheduledPublished fact, ScheduledMessages scheduled, int[] slots)
      implements Originals {
    @Override
    public boolean has(int message) {
      return scheduled.find(fact.sequenceNumbers()[message]) != Place.NONE;
    }

    @Override
    public int count() {
      return slots.length;
    }

    @Override
    public long enqueuedAtMillis() {
      return fact.enqueuedAtMillis();
    }

    @Override
    public void copyInto(int message, Chunk chunk, int row) {
      long place = scheduled.find(fact.sequenceNumbers()[message]);
      chunk.copyRow(row, scheduled.chunk(place), Place.row(place));
      chunk.setSharedSlot(row, slots[message]);
      chunk.setEnqueuedNumber(row, fact.firstSequenceNumber() + message);
    }
  }

  /**
   * Messages of another queue, whose copies carry the topic's numbers from {@code firstNumber} on.
   */
  private record Moved(
      QueueState source,
      long[] numbers,
      long firstNumber,
      long enqueuedAtMillis,
      @Nullable String deadLetterSource,
      ForwardingHistory forwardings,
      int[] slots)
      implements Originals {
    @Override
    public boolean has(int message) {
      return source.messages().find(numbers[message]) != Place.NONE;
    }

    @Override
    public int count() {
      return slots.length;
    }

    @Override
    public void copyInto(int message, Chunk chunk, int row) {
      long place = source.messages().find(numbers[message]);
      Chunk from = source.messages().chunk(place);
      int fromRow = Place.row(place);
      ForwardApplier.moveRow(chunk, row, source, from, fromRow);
      chunk.setForwardings(
          row,
          ForwardApplier.onward(forwardings, source, from.forwardings(fromRow), deadLetterSource));
      if (source.isForTransfers() && chunk.enqueuedNumber(row) == 0) {
        chunk.setEnqueuedNumber(row, firstNumber + message); // S-146
      }
      chunk.setOverlaySlot(row, 0); // a copy that differs gets one of its own
      chunk.setSharedSlot(row, slots[message]);
    }
  }

  void publish(long index, ForwardFact.ForwardPublished fact) {
    QueueState topic = state.known(fact.topic());
    QueueState source = state.known(fact.source());
    state.checkNumbersConsecutive(topic, fact.firstSequenceNumber());
    int count = fact.sequenceNumbers().length;
    int[] copies = copies(count, fact.copies());
    int[] slots = new int[count];
    for (int message = 0; message < count; message++) {
      long place = state.find(source, fact.sequenceNumbers()[message]);
      slots[message] =
          place == Place.NONE || copies[message] == 0
              ? UNCOPIED
              : state.shared.instead(sharedSlot(source, place), copies[message]);
    }
    Originals originals =
        new Moved(
            source,
            fact.sequenceNumbers(),
            fact.firstSequenceNumber(),
            fact.enqueuedAtMillis(),
            fact.deadLetterSource(),
            state.forwardings,
            slots);
    copy(index, fact.copies(), originals);
    for (int message = 0; message < count; message++) {
      long place = source.messages().find(fact.sequenceNumbers()[message]);
      if (place != Place.NONE) {
        moveOut(source, place, slots[message] == UNCOPIED);
      }
    }
    topic.remember(fact.messageIdHashes(), fact.enqueuedAtMillis());
    topic.numbersUsedUpTo(fact.firstSequenceNumber() + count);
    state.refresh(source);
    state.refresh(topic);
  }

  /**
   * Adds a part of the copies. The message stays until the last part, and shares its body with the
   * copies.
   */
  void publish(long index, ForwardFact.PartPublished fact) {
    QueueState topic = state.known(fact.topic());
    QueueState source = state.known(fact.source());
    long place = state.find(source, fact.sequenceNumber());
    if (fact.topicNumber() != 0) {
      begin(topic, source, place, fact);
    }
    int copies = copies(1, fact.copies())[0];
    int have = copies + (fact.last() ? 0 : 1);
    int slot =
        place == Place.NONE || have == 0
            ? UNCOPIED
            : state.shared.instead(sharedSlot(source, place), have);
    copy(index, fact.copies(), original(source, fact, slot));
    if (place != Place.NONE && fact.last()) {
      moveOut(source, place, copies == 0);
    } else if (place != Place.NONE) {
      source.messages().chunk(place).setSharedSlot(Place.row(place), slot);
    }
    source.copiedUpTo(fact.last() ? null : new CopyCursor(fact.sequenceNumber(), fact.upTo()));
    state.refresh(source);
    state.refresh(topic);
  }

  private Originals original(QueueState source, ForwardFact.PartPublished fact, int slot) {
    return new Moved(
        source,
        new long[] {fact.sequenceNumber()},
        fact.topicNumber(),
        fact.enqueuedAtMillis(),
        null,
        state.forwardings,
        new int[] {slot});
  }

  /** Gives a message its number and time in the topic, which all of its copies carry. */
  private void begin(
      QueueState topic, QueueState source, long place, ForwardFact.PartPublished fact) {
    state.checkNumbersConsecutive(topic, fact.topicNumber());
    topic.numbersUsedUpTo(fact.topicNumber() + 1);
    topic.remember(fact.messageIdHashes(), fact.enqueuedAtMillis());
    if (place != Place.NONE) {
      source.messages().renewTimes(place, fact.enqueuedAtMillis(), fact.expiresAtMillis());
      Chunk chunk = source.messages().chunk(place);
      int row = Place.row(place);
      if (chunk.enqueuedNumber(row) == 0) {
        chunk.setEnqueuedNumber(row, fact.topicNumber()); // S-146
      }
    }
  }

  private static int sharedSlot(QueueState source, long place) {
    return source.messages().chunk(place).sharedSlot(Place.row(place));
  }

  /** Removes a message from its queue; its copies keep the body, if there are any. */
  private void moveOut(QueueState source, long place, boolean forNobody) {
    Chunk chunk = source.messages().chunk(place);
    int row = Place.row(place);
    if (forNobody) {
      state.dropBody(chunk, row);
    }
    state.dropOverlay(source, chunk.overlaySlot(row));
    source.messages().remove(place);
  }

  void publish(long index, Fact.Published fact) {
    QueueState topic = state.known(fact.topic());
    state.checkNumbersConsecutive(topic, fact.firstSequenceNumber());
    state.checkConsecutive(fact.firstBodyId() == state.nextBodyId, "body ids go up without a gap");
    int count = fact.sizes().length;
    int[] slots = slots(count, fact.copies(), message -> false);
    state.nextBodyId = fact.firstBodyId() + count;
    topic.numbersUsedUpTo(fact.firstSequenceNumber() + count);
    topic.remember(fact.messageIdHashes(), fact.enqueuedAtMillis());
    Originals originals = new Arrived(fact, slots);
    copy(index, fact.copies(), originals);
    state.refresh(topic);
  }

  void publish(long index, Fact.ScheduledPublished fact) {
    QueueState topic = state.known(fact.topic());
    state.checkNumbersConsecutive(topic, fact.firstSequenceNumber());
    int count = fact.sequenceNumbers().length;
    IntPredicate gone =
        message -> topic.scheduled().find(fact.sequenceNumbers()[message]) == Place.NONE;
    int[] slots = slots(count, fact.copies(), gone);
    Originals originals = new Due(fact, topic.scheduled(), slots);
    copy(index, fact.copies(), originals);
    for (int message = 0; message < count; message++) {
      leave(topic, fact.sequenceNumbers()[message], slots[message] == UNCOPIED);
    }
    topic.numbersUsedUpTo(fact.firstSequenceNumber() + count);
    state.refresh(topic);
  }

  /** Removes a message from the schedule. */
  private void leave(QueueState topic, long number, boolean forNobody) {
    long place = topic.scheduled().find(number);
    state.checkConsecutive(place != Place.NONE, "facts are about messages here");
    if (place == Place.NONE) {
      return;
    }
    if (forNobody) {
      state.deadBodies.add(topic.scheduled().chunk(place).bodyId(Place.row(place)));
    }
    state.beforeChange(topic.scheduled().chunks(), place);
    topic.scheduled().remove(place);
  }

  /** The slot that counts the copies of each message, {@link #UNCOPIED} for one without copies. */
  private int[] slots(int count, Copies[] all, IntPredicate gone) {
    int[] slots = copies(count, all);
    for (int message = 0; message < count; message++) {
      slots[message] =
          slots[message] == 0 || gone.test(message) ? UNCOPIED : state.shared.add(slots[message]);
    }
    return slots;
  }

  /** The number of copies of each message. */
  private static int[] copies(int count, Copies[] all) {
    int[] copies = new int[count];
    for (Copies each : all) {
      int[] messages = each.messages();
      int own = messages == null ? count : messages.length;
      for (int k = 0; k < own; k++) {
        copies[messages == null ? k : messages[k]]++;
      }
    }
    return copies;
  }

  private void copy(long index, Copies[] all, Originals originals) {
    for (int i = 0; i < all.length; i++) {
      if (i % Prefetch.GROUP == 0 && all.length >= Prefetch.GROUP) {
        state.prefetch.at(group(all, i));
      }
      copy(index, all[i], originals);
    }
  }

  /** The queues that get the copies from index {@code from} on. */
  private QueueState[] group(Copies[] all, int from) {
    QueueState[] queues = new QueueState[Math.min(Prefetch.GROUP, all.length - from)];
    for (int i = 0; i < queues.length; i++) {
      queues[i] = state.known(all[from + i].subscription());
    }
    return queues;
  }

  private void copy(long index, Copies copies, Originals originals) {
    QueueState queue = state.known(copies.subscription());
    state.checkNumbersConsecutive(queue, copies.firstSequenceNumber());
    int[] messages = copies.messages();
    int count = messages == null ? originals.count() : messages.length;
    state.beforeInsert(queue.messages().chunks(), copies.firstSequenceNumber());
    for (int k = 0; k < count; k++) {
      int message = messages == null ? k : messages[k];
      if (originals.has(message)) {
        append(index, queue, copies, k, message, originals);
      }
    }
    queue.numbersUsedUpTo(copies.firstSequenceNumber() + count);
    if (copies.causes() != null) {
      deadLetter(index, queue, copies, copies.causes());
    }
    state.refresh(queue);
    if (copies.causes() != null) {
      state.refresh(queue.deadLetters());
    }
  }

  private static void append(
      long index, QueueState queue, Copies copies, int k, int message, Originals originals) {
    long[] expiries = copies.expiresAtMillis();
    String[] sessionIds = copies.sessionIds();
    MessageIndex.Row row = queue.messages().open(copies.firstSequenceNumber() + k);
    originals.copyInto(message, row.chunk(), row.row());
    row.chunk()
        .fillTimes(
            row.row(), originals.enqueuedAtMillis(), expiries == null ? FOREVER : expiries[k]);
    SessionTable sessions = queue.sessions();
    row.chunk()
        .setSessionSlot(
            row.row(),
            sessions == null || sessionIds == null ? 0 : sessions.arrived(sessionIds[k]));
    queue.messages().close(row, index);
  }

  /** Moves copies with a cause to the dead-letter queue (S-193, S-195). */
  private void deadLetter(long index, QueueState queue, Copies copies, DeadLetterCause[] causes) {
    for (int k = 0; k < causes.length; k++) {
      if (causes[k] != DeadLetterCause.NONE) {
        long place = queue.messages().find(copies.firstSequenceNumber() + k);
        if (place != Place.NONE) {
          state.move(index, queue, place, causes[k]);
        }
      }
    }
  }
}
