package io.peeklock.http.messages;

import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.BodyIntake;
import io.peeklock.runtime.message.BodyRest;
import io.peeklock.runtime.message.Messages;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.ReceiveOrder;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One queue in memory, {@code orders}, with locks that never lapse by themselves. */
final class MemoryMessages implements Messages {
  static final long ENQUEUED = 1_435_697_481_000L; // Tue, 30 Jun 2015 20:51:21 GMT

  private static final ReceivedMessage.Stored STORED =
      new ReceivedMessage.Stored(
          7, 5, ENQUEUED, 0, QueueDefinition.FOREVER, 0, MessageState.DEFERRED, "there");

  final List<OutgoingMessage> sent = new ArrayList<>();
  final List<Intake> intakes = new ArrayList<>();
  final List<ReceiveOrder> orders = new ArrayList<>();
  final List<CompletableFuture<Answer<Optional<ReceivedMessage>>>> waiting = new ArrayList<>();
  private final Deque<ReceivedMessage> ready = new ArrayDeque<>();
  private final Map<UUID, ReceivedMessage> locked = new LinkedHashMap<>();
  private long lastNumber;
  long mostBytes = 4 << 20;
  private long lastToken;
  @Nullable BodyRest rest;

  /** How many received messages are not on their way any more. */
  int taken;

  /** What every request is answered with, once set. */
  @Nullable Answer<?> trouble;

  /** What sends are answered with, later; null for at once. */
  @Nullable CompletableFuture<Answer<Integer>> later;

  /** Throws at the next request. */
  boolean broken;

  @SuppressWarnings("unchecked")
  private <T> CompletableFuture<Answer<T>> answer(String address, Answer<T> usual) {
    if (broken) {
      throw new IllegalStateException("on purpose");
    }
    if (trouble != null) {
      return CompletableFuture.completedFuture((Answer<T>) trouble);
    }
    var known = address.toLowerCase(Locale.ROOT).startsWith("orders");
    return CompletableFuture.completedFuture(
        known ? usual : new Answer.Refused<>(new Refusal.EntityNotFound()));
  }

  @Override
  public CompletableFuture<Answer<List<ReceivedMessage>>> peek(
      String address, long fromSequenceNumber, int most) {
    return answer(address, new Answer.Given<>(ready.stream().limit(most).toList()));
  }

  @Override
  public CompletableFuture<Answer<Integer>> send(String address, List<OutgoingMessage> messages) {
    var answer = answer(address, new Answer.Given<>(messages.size()));
    if (answer.join() instanceof Answer.Given<?>) {
      for (var message : messages) {
        sent.add(message);
        ready.add(received(message, 0));
      }
    }
    if (later != null) {
      return later;
    }
    return answer;
  }

  @Override
  public Answer<BodyIntake> begin(String address, OutgoingMessage message, long bodyBytes) {
    if (bodyBytes > mostBytes) {
      return new Answer.Unfit<>(Answer.Misfit.TOO_LARGE, "too large");
    }
    var answer = answer(address, new Answer.Given<>(1)).join();
    if (!(answer instanceof Answer.Given<Integer>)) {
      return answer instanceof Answer.Unfit<Integer> unfit
          ? new Answer.Unfit<>(unfit.misfit(), unfit.sentence())
          : new Answer.Refused<>(((Answer.Refused<Integer>) answer).refusal());
    }
    var intake = new Intake(address, message);
    intakes.add(intake);
    return new Answer.Given<>(intake);
  }

  /** A message whose body comes in pieces. */
  final class Intake implements BodyIntake {
    private final String address;
    private final OutgoingMessage head;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<Answer<Integer>> answer = new CompletableFuture<>();
    Runnable room = () -> {};
    boolean full;
    boolean aborted;

    Intake(String address, OutgoingMessage head) {
      this.address = address;
      this.head = head;
    }

    @Override
    public void write(ByteBuffer part) {
      var copy = new byte[part.remaining()];
      part.get(copy);
      bytes.writeBytes(copy);
      if (bytes.size() > mostBytes) {
        answer.complete(new Answer.Unfit<>(Answer.Misfit.TOO_LARGE, "too large"));
      }
    }

    @Override
    public boolean hasRoom() {
      return !full;
    }

    @Override
    public void whenRoom(Runnable listener) {
      room = listener;
    }

    @Override
    public void finish() {
      var whole =
          new OutgoingMessage(
              head.texts(),
              head.ttlMillis(),
              head.dueAtMillis(),
              head.applicationProperties(),
              ByteBuffer.wrap(bytes.toByteArray()));
      answer.complete(send(address, List.of(whole)).join());
    }

    @Override
    public void abort() {
      aborted = true;
      answer.cancel(false);
    }

    @Override
    public CompletableFuture<Answer<Integer>> answer() {
      return answer;
    }
  }

  private ReceivedMessage received(OutgoingMessage message, int failed) {
    var bytes = new byte[message.body().remaining()];
    message.body().duplicate().get(bytes);
    var stored =
        new ReceivedMessage.Stored(
            ++lastNumber,
            0,
            ENQUEUED,
            failed,
            message.ttlMillis(),
            message.dueAtMillis(),
            MessageState.ACTIVE,
            null);
    return new ReceivedMessage(
        message.texts(), message.applicationProperties(), stored, null, bytes, rest, () -> taken++);
  }

  /** Puts a message there that only another wire could have brought. */
  void put(ReceivedMessage message) {
    ready.add(message);
  }

  @Override
  public CompletableFuture<Answer<Optional<ReceivedMessage>>> receive(ReceiveOrder order) {
    orders.add(order);
    var next = ready.peek();
    if (next == null && trouble == null && !broken && order.waitMillis() > 0) {
      var later = new CompletableFuture<Answer<Optional<ReceivedMessage>>>();
      waiting.add(later);
      return later;
    }
    if (next != null && order.mode() == ReceiveMode.PEEK_LOCK) {
      next = lock(next);
    }
    ready.poll();
    return answer(order.address(), new Answer.Given<>(Optional.ofNullable(next)));
  }

  private ReceivedMessage lock(ReceivedMessage message) {
    var token = new UUID(0x1234_5678_9abc_4defL, ++lastToken | 0x8000_0000_0000_0000L);
    var result = with(message, message.stored().failedDeliveries(), token);
    locked.put(token, result);
    return result;
  }

  private static ReceivedMessage with(
      ReceivedMessage message, int failedDeliveries, @Nullable UUID token) {
    var stored = message.stored();
    return new ReceivedMessage(
        message.texts(),
        message.applicationProperties(),
        new ReceivedMessage.Stored(
            stored.sequenceNumber(),
            stored.enqueuedNumber(),
            stored.enqueuedAtMillis(),
            failedDeliveries,
            stored.ttlMillis(),
            stored.dueAtMillis(),
            stored.state(),
            stored.deadLetterSource()),
        token == null ? null : new ReceivedMessage.Lock(token, ENQUEUED + 60_000),
        message.body(),
        message.rest(),
        message.taken());
  }

  @Override
  public CompletableFuture<Answer<Settlement>> settle(
      String address, UUID token, Settlement settlement) {
    var held = locked.remove(token);
    if (held == null) {
      return answer(address, new Answer.Refused<>(new Refusal.MessageLockLost()));
    }
    if (settlement == Settlement.ABANDON) {
      ready.addFirst(with(held, held.stored().failedDeliveries() + 1, null));
    }
    return answer(address, new Answer.Given<>(settlement));
  }

  @Override
  public CompletableFuture<Answer<Instant>> renew(String address, UUID token) {
    return answer(
        address,
        locked.containsKey(token)
            ? new Answer.Given<>(Instant.ofEpochMilli(ENQUEUED))
            : new Answer.Refused<>(new Refusal.MessageLockLost()));
  }

  /** A message of only a body, as another wire would have brought it. */
  static ReceivedMessage plain(
      Map<String, Object> properties, byte[] body, @Nullable BodyRest rest) {
    return new ReceivedMessage(Map.of(), properties, STORED, null, body, rest, () -> {});
  }

  /** The same with texts. */
  static ReceivedMessage with(
      Map<TextProperty, String> texts, Map<String, Object> properties, byte[] body) {
    return new ReceivedMessage(texts, properties, STORED, null, body, null, () -> {});
  }
}
