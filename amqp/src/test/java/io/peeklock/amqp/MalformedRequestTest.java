package io.peeklock.amqp;

import static io.peeklock.amqp.TestClient.CLOSE;
import static io.peeklock.amqp.TestClient.DETACH;
import static io.peeklock.amqp.TestClient.TRANSFER;
import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.amqp.engine.codec.Unsigned;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.proof.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is wrong with a request, its client hears so: by an answer, or by the link's end. */
class MalformedRequestTest {
  private static final Map<String, String> PEEK = Map.of("operation", "com.microsoft:peek-message");
  private static final Unsigned.Ulong ID = new Unsigned.Ulong(77);

  private final BrokerFixture broker = new BrokerFixture();
  private final TestClient client = broker.client();
  private final RequestClient requests = new RequestClient(client, 0, "q/$management", "replies");

  private static TestMessage head() {
    return new TestMessage()
        .properties(ID, null, null, null, "replies")
        .section(TestMessage.APPLICATION_PROPERTIES, PEEK);
  }

  private static byte[] cut(byte[] message, int bytes) {
    return Arrays.copyOf(message, message.length - bytes);
  }

  private static byte[] with(byte[] message, int... more) {
    var longer = Arrays.copyOf(message, message.length + more.length);
    for (var i = 0; i < more.length; i++) {
      longer[message.length + i] = (byte) more[i];
    }
    return longer;
  }

  private static Stream<byte[]> badBodies() {
    var map = Map.of("from-sequence-number", 0L, "message-count", 1);
    return Stream.of(
        head().bytes(), // none
        head().section(TestMessage.VALUE, null).bytes(),
        head().section(TestMessage.VALUE, "text").bytes(),
        head().section(TestMessage.VALUE, 7).bytes(),
        head().section(TestMessage.VALUE, List.of(1, 2)).bytes(),
        head().section(TestMessage.VALUE, Map.of(1, 2)).bytes(),
        head().section(TestMessage.DATA, new byte[] {1}).bytes(),
        head().section(TestMessage.SEQUENCE, List.of(1)).bytes(),
        head()
            .section(TestMessage.SEQUENCE, List.of())
            .section(TestMessage.SEQUENCE, List.of())
            .bytes(),
        head().section(TestMessage.VALUE, map).section(TestMessage.VALUE, map).bytes(),
        head().section(TestMessage.VALUE, map).section(TestMessage.DATA, new byte[0]).bytes(),
        head().section(TestMessage.SEQUENCE, 7).bytes(),
        head().section(TestMessage.DATA, "text").bytes(),
        cut(head().section(TestMessage.VALUE, map).bytes(), 1),
        cut(head().section(TestMessage.VALUE, map).bytes(), 20),
        with(head().bytes(), 0x00, 0x53, 0x77), // a section without a value
        with(head().bytes(), 0x00, 0x53, 0x77, 0xc1, 0x02, 0x01, 0x40), // a key without a value
        with(head().bytes(), 0x00, 0x53, 0x77, 0x33), // no such type
        with(head().bytes(), 0x00, 0x53, 0x99, 0x40), // no such section
        with(head().bytes(), 0x41),
        head().section(TestMessage.APPLICATION_PROPERTIES, PEEK).bytes(), // twice
        new TestMessage()
            .properties(ID, null, null, null, "replies")
            .section(TestMessage.APPLICATION_PROPERTIES, "text")
            .section(TestMessage.VALUE, map)
            .bytes());
  }

  private static Stream<byte[]> badHeads() {
    return Stream.of(
        new byte[] {1, 2, 3},
        new byte[] {0x00, 0x53},
        new TestMessage().section(TestMessage.PROPERTIES, "text").bytes(),
        cut(new TestMessage().properties(ID, null, null, null, "replies").bytes(), 3),
        new TestMessage()
            .properties(ID, null, null, null, 7)
            .section(TestMessage.APPLICATION_PROPERTIES, PEEK)
            .bytes());
  }

  private void sends(byte[] message, boolean settled) {
    client.send(client.transfer(0, RequestClient.SENDER, 0, settled, message));
  }

  private void stillWorks() {
    assertThat(client.take(CLOSE)).isEmpty();
    var answer =
        requests.manage("peek-message", Map.of("from-sequence-number", 0L, "message-count", 1));
    assertThat(answer.status()).isEqualTo(204);
    assertThat(broker.journal.leaks()).isZero();
  }

  @ParameterizedTest
  @MethodSource("badBodies")
  @Rule("S-513")
  void aRequestThatCanBeAnsweredIsAnsweredWith400(byte[] message) {
    sends(message, false);

    var answer = requests.answer();
    assertThat(answer.correlationId()).isEqualTo(ID);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.condition()).hasToString(Conditions.ARGUMENT_ERROR);
    stillWorks();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5})
  @Rule("S-513")
  void soIsOneInSeveralFrames(int missing) {
    client.inFrames(
        RequestClient.SENDER,
        cut(head().section(TestMessage.VALUE, "x".repeat(500)).bytes(), missing),
        100);

    var answer = requests.answer();
    assertThat(answer.correlationId()).isEqualTo(ID);
    assertThat(answer.status()).isEqualTo(400);
    stillWorks();
  }

  @ParameterizedTest
  @MethodSource("badHeads")
  void aRequestWhoseIdCannotBeReadEndsItsLink(byte[] message) {
    sends(message, true);

    assertThat(client.take(TRANSFER)).isEmpty();
    var error = client.one(DETACH).field(2);
    assertThat(TestClient.condition(error)).isEqualTo(Conditions.DECODE_ERROR);
    assertThat(client.take(CLOSE)).isEmpty();
    assertThat(broker.journal.leaks()).isZero();
  }

  @Test
  void aRequestWithoutAnIdOrAReplyToIsAnswered() {
    sends(
        new TestMessage()
            .section(TestMessage.APPLICATION_PROPERTIES, PEEK)
            .section(TestMessage.VALUE, Map.of("from-sequence-number", 0L, "message-count", 1))
            .bytes(),
        true);

    var answer = requests.answer();
    assertThat(answer.status()).isEqualTo(204);
    assertThat((@Nullable Object) answer.correlationId()).isNull();
  }

  @Test
  void aTokenThatIsNoMessageIsAnsweredToo() {
    client.begin(1);
    var cbs = new RequestClient(client, 1, "$cbs", "tokens");

    client.send(
        client.transfer(
            1,
            RequestClient.SENDER,
            0,
            true,
            cut(head().section(TestMessage.VALUE, "text").bytes(), 2)));
    var answer = cbs.answer();

    assertThat(answer.correlationId()).isEqualTo(ID);
    assertThat(answer.status()).isEqualTo(400);
  }
}
