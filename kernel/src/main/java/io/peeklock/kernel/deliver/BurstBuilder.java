package io.peeklock.kernel.deliver;

import io.peeklock.kernel.columns.Chunk;
import io.peeklock.kernel.columns.ForwardingHistory;
import io.peeklock.kernel.columns.OverlayTable;
import io.peeklock.kernel.columns.Place;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.state.MachineState;
import io.peeklock.kernel.state.MessageIndex;
import io.peeklock.kernel.state.ScheduledMessages;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects messages of a queue into the columns of a burst. */
final class BurstBuilder {

  /** The most messages of one burst that shares {@link #ALL_ACTIVE}. */
  static final int MAX_ACTIVE = 512;

  private static final MessageState[] ALL_ACTIVE = new MessageState[MAX_ACTIVE];

  static {
    Arrays.fill(ALL_ACTIVE, MessageState.ACTIVE);
  }

  private final OverlayTable overlays;
  private final ForwardingHistory forwardings;
  private long[] numbers;
  private long[] bodyIds;
  private int[] sizes;
  private long[] enqueuedAt;
  private long[] expiresAt;
  private int[] deliveryCounts;
  private long @Nullable [] overlayIds;
  private MessageState @Nullable [] states;
  private DeadLetterCause @Nullable [] causes;
  private long @Nullable [] enqueuedNumbers;
  private @Nullable String @Nullable [] deadLetterSources;
  private int count;
  private long bytes;
  private long newestIndex;

  BurstBuilder(MachineState state, int capacity) {
    overlays = state.overlays;
    forwardings = state.forwardings;
    numbers = new long[capacity];
    bodyIds = new long[capacity];
    sizes = new int[capacity];
    enqueuedAt = new long[capacity];
    expiresAt = new long[capacity];
    deliveryCounts = new int[capacity];
  }

  int count() {
    return count;
  }

  /** The sum of the messages' sizes. */
  long bytes() {
    return bytes;
  }

  /** The index of the newest batch with a fact about any of the messages, or a later one. */
  long newestIndex() {
    return newestIndex;
  }

  void add(MessageIndex messages, long place) {
    add(messages.chunk(place), Place.row(place));
  }

  /** Adds a scheduled message as if it had become active when it is due. */
  void addScheduled(Chunk chunk, int row) {
    int at = count;
    add(chunk, row);
    long due = ScheduledMessages.dueAtMillis(chunk, row);
    enqueuedAt[at] = due;
    expiresAt[at] = ScheduledMessages.expiresAtMillis(chunk, row, due);
    states = states == null ? allActive(numbers.length) : states;
    states[at] = MessageState.SCHEDULED;
  }

  void add(Chunk chunk, int row) {
    if (count == numbers.length) {
      resize(Math.max(16, count * 2));
    }
    numbers[count] = chunk.number(row);
    bodyIds[count] = chunk.bodyId(row);
    sizes[count] = chunk.size(row);
    enqueuedAt[count] = chunk.enqueuedAtMillis(row);
    expiresAt[count] = chunk.expiresAtMillis(row);
    deliveryCounts[count] = chunk.deliveryCount(row);
    addRare(chunk, row);
    bytes += sizes[count];
    newestIndex = Math.max(newestIndex, chunk.newestIndex());
    count++;
  }

  /** Fills the columns that most bursts do not need. */
  private void addRare(Chunk chunk, int row) {
    long overlayId = overlays.bodyId(chunk.overlaySlot(row));
    if (overlayId != 0) {
      overlayIds = overlayIds == null ? new long[numbers.length] : overlayIds;
      overlayIds[count] = overlayId;
    }
    DeadLetterCause cause = chunk.cause(row);
    if (cause != DeadLetterCause.NONE) {
      causes = causes == null ? noCauses(numbers.length) : causes;
      causes[count] = cause;
    }
    long enqueuedNumber = chunk.enqueuedNumber(row);
    if (enqueuedNumber != 0) {
      enqueuedNumbers = enqueuedNumbers == null ? new long[numbers.length] : enqueuedNumbers;
      enqueuedNumbers[count] = enqueuedNumber;
    }
    String source = forwardings.deadLetterSource(chunk.forwardings(row));
    if (source != null) {
      @Nullable String[] all =
          deadLetterSources == null ? new String[numbers.length] : deadLetterSources;
      all[count] = source;
      deadLetterSources = all;
    }
    addState(chunk.isDeferred(row));
  }

  private void addState(boolean deferred) {
    if (deferred || count >= MAX_ACTIVE) {
      states = states == null ? allActive(numbers.length) : states;
      states[count] = deferred ? MessageState.DEFERRED : MessageState.ACTIVE;
    }
  }

  private static DeadLetterCause[] noCauses(int length) {
    DeadLetterCause[] none = new DeadLetterCause[length];
    Arrays.fill(none, DeadLetterCause.NONE);
    return none;
  }

  private static MessageState[] allActive(int length) {
    MessageState[] active = new MessageState[length];
    Arrays.fill(active, MessageState.ACTIVE);
    return active;
  }

  private void resize(int length) {
    numbers = Arrays.copyOf(numbers, length);
    bodyIds = Arrays.copyOf(bodyIds, length);
    sizes = Arrays.copyOf(sizes, length);
    enqueuedAt = Arrays.copyOf(enqueuedAt, length);
    expiresAt = Arrays.copyOf(expiresAt, length);
    deliveryCounts = Arrays.copyOf(deliveryCounts, length);
    overlayIds = overlayIds == null ? null : Arrays.copyOf(overlayIds, length);
    enqueuedNumbers = enqueuedNumbers == null ? null : Arrays.copyOf(enqueuedNumbers, length);
    deadLetterSources = deadLetterSources == null ? null : Arrays.copyOf(deadLetterSources, length);
    if (states != null) {
      int before = states.length;
      states = Arrays.copyOf(states, length);
      Arrays.fill(states, Math.min(before, length), length, MessageState.ACTIVE);
    }
    if (causes != null) {
      int before = causes.length;
      causes = Arrays.copyOf(causes, length);
      Arrays.fill(causes, Math.min(before, length), length, DeadLetterCause.NONE);
    }
  }

  /** The sequence numbers, once all messages are added; the burst has the same array. */
  long[] numbers() {
    if (count < numbers.length) {
      resize(count);
    }
    return numbers;
  }

  /**
   * The burst, once all messages are added.
   *
   * @param lockIds null without locks
   * @param lockedUntilMillis 0 without locks
   */
  MessageBurst build(long @Nullable [] lockIds, long lockedUntilMillis) {
    return new MessageBurst(
        numbers(),
        bodyIds,
        overlayIds,
        sizes,
        enqueuedAt,
        expiresAt,
        deliveryCounts,
        states == null ? ALL_ACTIVE : states,
        causes,
        enqueuedNumbers,
        deadLetterSources,
        lockIds,
        lockedUntilMillis);
  }
}
