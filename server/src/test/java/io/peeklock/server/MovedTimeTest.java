package io.peeklock.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.entity.EntityCounts;
import io.peeklock.kernel.entity.MessageState;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.EntityCounting;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.ReceiveOrder;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.message.TextProperty;
import io.peeklock.server.config.ServeOptions;
import io.peeklock.server.config.ServerSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker whose time a test moves, and that a test empties. */
@Timeout(60)
class MovedTimeTest {
  private static final QueueDefinition ORDERS =
      QueueDefinition.named("orders").withDuplicateWindow(60_000);

  private PeeklockServer server;

  @BeforeEach
  void start() throws IOException {
    server = PeeklockServer.start(ServerSettings.inMemory(List.of(ORDERS)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  @Rule("S-151")
  void aScheduledMessageIsActiveWhenTheMoveIsDone() {
    var due = server.now().plusSeconds(3_600);
    send(message("one", QueueDefinition.FOREVER, due.toEpochMilli()));

    advance(Duration.ofMinutes(59));
    assertThat(peeked("orders"))
        .singleElement()
        .satisfies(one -> assertThat(one.stored().state()).isEqualTo(MessageState.SCHEDULED));

    advance(Duration.ofMinutes(1));
    assertThat(peeked("orders"))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.stored().state()).isEqualTo(MessageState.ACTIVE);
              assertThat(one.stored().enqueuedAtMillis())
                  .isGreaterThanOrEqualTo(due.toEpochMilli());
              assertThat(new String(one.body(), UTF_8)).isEqualTo("body of one");
              assertThat(one.texts()).containsEntry(TextProperty.MESSAGE_ID, "one");
            });
  }

  @Test
  @Rule("S-047")
  void aLockLapses() {
    send(message("one", QueueDefinition.FOREVER, 0));
    var first = received();

    advance(Duration.ofSeconds(61));

    var lock = Objects.requireNonNull(first.lock());
    var late = answer(server.messages().settle("orders", lock.token(), Settlement.COMPLETE));
    assertThat(late).isInstanceOf(Answer.Refused.class);
    assertThat(received().stored().failedDeliveries()).isEqualTo(1);
  }

  @Test
  @Rule({"S-162", "S-268"})
  void aMessageExpiresAndItsIdIsForgotten() {
    send(message("one", 10_000, 0));
    send(message("one", 10_000, 0)); // a duplicate
    assertThat(peeked("orders")).hasSize(1);

    advance(Duration.ofSeconds(10));
    assertThat(counts().active()).isZero();
    send(message("one", 10_000, 0));
    assertThat(counts().active()).isZero();

    advance(Duration.ofSeconds(51));
    send(message("one", 10_000, 0));
    assertThat(counts().active()).isOne();
  }

  @Test
  void whatIsDueSoonAfterAMoveComesInTime() {
    var began = System.nanoTime();
    send(message("later", QueueDefinition.FOREVER, server.now().plusSeconds(40).toEpochMilli()));
    advance(Duration.ofMillis(39_500)); // the timer of before would ring in 40 seconds

    var order = new ReceiveOrder("orders", ReceiveMode.RECEIVE_AND_DELETE, 4_000);
    assertThat(value(answer(server.messages().receive(order)))).isPresent();

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
  }

  @Test
  void timeNeverGoesBack() {
    assertThatThrownBy(() -> server.advance(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the broker's time never goes back, and PT-0.001S would");
  }

  @Test
  void aBrokerWithADataFolderKeepsToItsClock(@TempDir Path folder) throws IOException {
    var settings =
        ServeOptions.read(new ArrayList<>(List.of("--data", folder.toString(), "--port", "0")));
    try (var onDisk = PeeklockServer.start(settings)) {
      assertThatThrownBy(() -> onDisk.advance(Duration.ofSeconds(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("only a broker in memory lets its time be moved");
    }
  }

  @Test
  void aResetLeavesTheEntitiesOfTheStartAndNoMessage() {
    send(message("one", QueueDefinition.FOREVER, 0));
    var old = server.catalogue().queue("orders");

    join(server.reset());

    var next = Objects.requireNonNull(server.catalogue().queue("orders"));
    assertThat(next.definition()).isEqualTo(ORDERS);
    assertThat(next.queue()).isNotEqualTo(Objects.requireNonNull(old).queue());
    assertThat(peeked("orders")).isEmpty();
    send(message("one", QueueDefinition.FOREVER, 0)); // whose id is forgotten
    assertThat(peeked("orders")).hasSize(1);
  }

  @Test
  void aLookAtNothingSaysSo() {
    assertThat(answer(server.messages().peek("nowhere", 1, 9))).isInstanceOf(Answer.Refused.class);
    assertThat(peeked("orders/$deadletterqueue")).isEmpty();
  }

  private static OutgoingMessage message(String id, long ttlMillis, long dueAtMillis) {
    var body = ByteBuffer.wrap(("body of " + id).getBytes(UTF_8));
    return new OutgoingMessage(
        Map.of(TextProperty.MESSAGE_ID, id), ttlMillis, dueAtMillis, Map.of(), body);
  }

  private void send(OutgoingMessage message) {
    assertThat(value(answer(server.messages().send("orders", List.of(message))))).isOne();
  }

  private ReceivedMessage received() {
    var order = new ReceiveOrder("orders", ReceiveMode.PEEK_LOCK, 1_000);
    Optional<ReceivedMessage> one = value(answer(server.messages().receive(order)));
    one.orElseThrow().taken().run();
    return one.orElseThrow();
  }

  private List<ReceivedMessage> peeked(String address) {
    return value(answer(server.messages().peek(address, 1, 100)));
  }

  private EntityCounts counts() {
    var queue = Objects.requireNonNull(server.catalogue().queue("orders")).queue();
    var counts = join(EntityCounting.of(server.broker(), List.of(queue)));
    return Objects.requireNonNull(counts.getFirst());
  }

  private void advance(Duration by) {
    join(server.advance(by));
  }

  private static <T> Answer<T> answer(CompletableFuture<Answer<T>> asked) {
    return join(asked);
  }

  private static <T> T value(Answer<T> answer) {
    assertThat(answer).isInstanceOf(Answer.Given.class);
    return ((Answer.Given<T>) answer).value();
  }

  private static <T> T join(CompletableFuture<T> asked) {
    return asked.orTimeout(20, TimeUnit.SECONDS).join();
  }
}
