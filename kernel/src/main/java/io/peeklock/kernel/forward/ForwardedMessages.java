package io.peeklock.kernel.forward;

import static io.peeklock.kernel.entity.QueueDefinition.FOREVER;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ForwardingHistory;
import io.peeklock.kernel.columns.LongList;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.decide.FetchedBodies;
import io.peeklock.kernel.decide.TickContext;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.filter.ValueType;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.send.FanOut;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.QueueState;
import org.jspecify.annotations.Nullable;

/** The messages of a queue that forwards, including properties that only their bodies have. */
final class ForwardedMessages {

  /** The bytes to read for one decision; the message that exceeds them is still read. */
  static final long MOST_READ_BYTES = 4 << 20;

  /** The most messages whose bodies are read for one decision. */
  static final int MOST_READ = 64;

  private static final long TICKS_PER_MILLI = 10_000;

  private final MachineState state;
  private final QueueState queue;
  private final FetchedBodies bodies;
  private final FilterValue value = new FilterValue();

  private final @Nullable QueueState topic; // which feeds the queue

  ForwardedMessages(MachineState state, QueueState queue, FetchedBodies bodies) {
    this.state = state;
    this.queue = queue;
    this.bodies = bodies;
    this.topic =
        queue.definition().role() instanceof QueueRole.Subscription role
            ? state.queue(role.topicPath())
            : null;
  }

  /**
   * Whether every body must be read, because the destination evaluates properties again (S-298).
   */
  boolean wantBodies(QueueState destination) {
    return destination.definition().requiresSession()
        || destination.rememberedIds() != null
        || (destination.topic() != null && destination.topic().looksAtMessages());
  }

  /**
   * How many of these can be read for one decision, at least one: bodies are held until it is made.
   */
  int readable(QueueState destination, LongList numbers) {
    long bytes = 0;
    int read = 0;
    int count = 0;
    while (count < numbers.size() && bytes < MOST_READ_BYTES && read < MOST_READ) {
      long place = queue.messages().find(numbers.get(count));
      Chunk chunk = queue.messages().chunk(place);
      int row = Place.row(place);
      if (looksAt(destination, chunk, row)) {
        read++;
        bytes += Math.min(chunk.size(row), TickContext.LOOKED_AT_BYTES);
        bytes += state.overlays.bytes(chunk.overlaySlot(row));
      }
      count++;
    }
    return count;
  }

  /**
   * The bodies and changed properties of the first {@code count} messages that must be read first.
   *
   * @param unreadable receives the numbers of messages that cannot be read now, which are not in
   *     the result
   */
  long[] needs(QueueState destination, LongList numbers, int count, LongList unreadable) {
    LongList needs = new LongList();
    for (int i = 0; i < count; i++) {
      long place = queue.messages().find(numbers.get(i));
      Chunk chunk = queue.messages().chunk(place);
      int row = Place.row(place);
      if (looksAt(destination, chunk, row) && source(chunk, row) == null) {
        long bodyId = chunk.bodyId(row);
        long overlayId = state.overlays.bodyId(chunk.overlaySlot(row));
        if (bodies.isLost(bodyId) || bodies.isLost(overlayId)) {
          unreadable.add(numbers.get(i));
        } else {
          needs.add(bodyId);
          needs.add(overlayId);
        }
      }
    }
    return needs.toArray();
  }

  /**
   * Copies of a message with changed properties need their own changes, whatever the rules read.
   */
  private boolean looksAt(QueueState destination, Chunk chunk, int row) {
    return wantBodies(destination)
        || (destination.topic() != null && chunk.overlaySlot(row) != 0)
        || isLifeUnknown(chunk, row);
  }

  /** Whether any of these has changed properties, which each of its copies gets. */
  boolean areChanged(LongList numbers) {
    for (int i = 0; i < numbers.size(); i++) {
      long place = queue.messages().find(numbers.get(i));
      if (queue.messages().chunk(place).overlaySlot(Place.row(place)) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether the read of each of these failed more than once. */
  boolean areGivenUp(LongList unreadable) {
    for (int i = 0; i < unreadable.size(); i++) {
      long place = queue.messages().find(unreadable.get(i));
      Chunk chunk = queue.messages().chunk(place);
      int row = Place.row(place);
      if (!bodies.isGivenUp(chunk.bodyId(row))
          && !bodies.isGivenUp(state.overlays.bodyId(chunk.overlaySlot(row)))) {
        return false;
      }
    }
    return true;
  }

  /** The message with this number as it was read; null when it was not. */
  @Nullable MessageView source(long number) {
    long place = queue.messages().find(number);
    return source(queue.messages().chunk(place), Place.row(place));
  }

  private @Nullable MessageView source(Chunk chunk, int row) {
    return bodies.source(
        chunk.bodyId(row), state.overlays.bodyId(chunk.overlaySlot(row)), chunk.cause(row));
  }

  /**
   * Whether a message of a backlog already has a number of its topic, because it was scheduled
   * there.
   */
  boolean wasScheduled(long number) {
    long place = queue.messages().find(number);
    Chunk chunk = queue.messages().chunk(place);
    int row = Place.row(place);
    return chunk.enqueuedNumber(row) != 0 && ForwardingHistory.hops(chunk.forwardings(row)) == 0;
  }

  long enqueuedAtMillis(long number) {
    long place = queue.messages().find(number);
    return queue.messages().chunk(place).enqueuedAtMillis(Place.row(place));
  }

  long expiresAtMillis(long number) {
    long place = queue.messages().find(number);
    return queue.messages().chunk(place).expiresAtMillis(Place.row(place));
  }

  int size(long number) {
    long place = queue.messages().find(number);
    return queue.messages().chunk(place).size(Place.row(place));
  }

  /** the message's own time to live. */
  long timeToLiveMillis(long number) {
    long place = queue.messages().find(number);
    Chunk chunk = queue.messages().chunk(place);
    int row = Place.row(place);
    if (!isLifeUnknown(chunk, row)) {
      return life(chunk, row);
    }
    MessageView source = source(chunk, row);
    value.setMissing();
    if (source != null) {
      source.system(SystemProperty.TIME_TO_LIVE, value);
    }
    return value.type() == ValueType.DURATION ? value.ticks() / TICKS_PER_MILLI : FOREVER;
  }

  private static long life(Chunk chunk, int row) {
    long expires = chunk.expiresAtMillis(row);
    return expires == FOREVER ? FOREVER : expires - chunk.enqueuedAtMillis(row);
  }

  /**
   * Whether the stored expiry may be due to a default time to live, of the queue or of the topic
   * that feeds it, instead of the sender's (S-164, S-165).
   */
  private boolean isLifeUnknown(Chunk chunk, int row) {
    long life = life(chunk, row);
    return life != FOREVER
        && !queue.isForTransfers() // there it is as the destination makes it
        && (mayHaveGiven(queue, chunk, row) || (topic != null && mayHaveGiven(topic, chunk, row)));
  }

  /** Whether it is the default now, or may have been before an update. */
  private static boolean mayHaveGiven(QueueState by, Chunk chunk, int row) {
    return life(chunk, row) == by.definition().defaultTimeToLiveMillis()
        || by.mayHaveBeenOtherwise(chunk.enqueuedAtMillis(row));
  }

  /** The id of its session; null without one. */
  @Nullable String sessionId(long number) {
    MessageView source = source(number);
    value.setMissing();
    if (source != null) {
      source.system(SystemProperty.SESSION_ID, value);
    }
    return FanOut.textOf(value);
  }
}
