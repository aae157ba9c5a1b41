package io.peeklock.conformance.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.amqp.models.AmqpMessageBody;
import com.azure.core.amqp.models.AmqpMessageBodyType;
import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithBroker.class)
class RoundTripTest {

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {0, 1, 255, 256, 100_000, 1 << 20, 20 << 20})
  @Rule({"S-072", "I-04", "T-67"})
  void aBodyOfAnySizeComesBackAsItWasSent(int size, Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var body = new byte[size];
    new Random(size).nextBytes(body);

    orders.sender().sendMessage(new ServiceBusMessage(BinaryData.fromBytes(body)));
    var message = orders.receive();

    assertThat(message.getBody().toBytes()).isEqualTo(body);
    orders.receiver().complete(message);
    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-072", "I-04"})
  void aHundredMegabytesComeBackAsTheyWereSent(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var body = new byte[100 * 1_000_000];
    new Random(100).nextBytes(body);

    orders.sender().sendMessage(new ServiceBusMessage(BinaryData.fromBytes(body)));
    var message = orders.receive();

    assertThat(message.getBody().toBytes()).isEqualTo(body);
    orders.receiver().complete(message);
  }

  @Test
  @Rule({"S-072", "T-52"})
  void aBodyMayBeAValue(Sdk sdk) {
    var values = List.<Object>of("text", 42L, true, 2.5d, UUID.randomUUID());
    for (var value : values) {
      var back = there(sdk, new ServiceBusMessage(AmqpMessageBody.fromValue(value)));

      var body = back.getRawAmqpMessage().getBody();
      assertThat(body.getBodyType()).isEqualTo(AmqpMessageBodyType.VALUE);
      assertThat(body.getValue()).isEqualTo(value);
    }
  }

  @Test
  @Rule({"S-072", "T-52"})
  void aBodyMayBeASequence(Sdk sdk) {
    var sequence = List.<Object>of("one", 2, 3L, true);

    var back = there(sdk, new ServiceBusMessage(AmqpMessageBody.fromSequence(sequence)));

    var body = back.getRawAmqpMessage().getBody();
    assertThat(body.getBodyType()).isEqualTo(AmqpMessageBodyType.SEQUENCE);
    assertThat(body.getSequence()).isEqualTo(sequence);
  }

  @Test
  @Rule({"S-076", "S-078", "S-079"})
  void everyPropertyComesBack(Sdk sdk) {
    var sent =
        new ServiceBusMessage("body")
            .setMessageId("message-1")
            .setCorrelationId("correlation-1")
            .setContentType("application/json")
            .setSubject("subject-1")
            .setTo("to-1")
            .setReplyTo("reply-1")
            .setReplyToSessionId("reply-session-1")
            .setSessionId("session-1")
            .setTimeToLive(Duration.ofHours(3));
    var raw = sent.getRawAmqpMessage().getProperties();
    raw.setUserId("somebody".getBytes(StandardCharsets.UTF_8)).setContentEncoding("gzip");
    raw.setGroupSequence(7L);

    var back = there(sdk, sent);

    assertThat(back.getMessageId()).isEqualTo("message-1");
    assertThat(back.getCorrelationId()).isEqualTo("correlation-1");
    assertThat(back.getContentType()).isEqualTo("application/json");
    assertThat(back.getSubject()).isEqualTo("subject-1");
    assertThat(back.getTo()).isEqualTo("to-1");
    assertThat(back.getReplyTo()).isEqualTo("reply-1");
    assertThat(back.getReplyToSessionId()).isEqualTo("reply-session-1");
    assertThat(back.getSessionId()).isEqualTo("session-1");
    assertThat(back.getTimeToLive()).isEqualTo(Duration.ofHours(3));
    var properties = back.getRawAmqpMessage().getProperties();
    assertThat(properties.getUserId()).isEqualTo("somebody".getBytes(StandardCharsets.UTF_8));
    assertThat(properties.getContentEncoding()).isEqualTo("gzip");
    assertThat(properties.getGroupSequence()).isEqualTo(7L);
  }

  @Test
  @Rule({"S-072", "I-04"})
  void applicationPropertiesKeepTheirTypes(Sdk sdk) {
    var properties = new LinkedHashMap<String, Object>();
    properties.put("boolean", true);
    properties.put("byte", (byte) -7);
    properties.put("short", (short) -700);
    properties.put("int", 70_000);
    properties.put("long", 1L << 40);
    properties.put("float", 1.5f);
    properties.put("double", -2.25d);
    properties.put("char", 'é');
    properties.put("string", "größer");
    properties.put("empty", "");
    properties.put("uuid", UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
    properties.put("timestamp", Date.from(Instant.ofEpochMilli(1_700_000_000_123L)));
    properties.put("moment", OffsetDateTime.of(2026, 1, 2, 3, 4, 5, 6_000_000, ZoneOffset.UTC));
    properties.put("duration", Duration.ofMillis(1_234));
    var sent = new ServiceBusMessage("body");
    sent.getApplicationProperties().putAll(properties);

    var back = there(sdk, sent);

    assertThat(back.getApplicationProperties()).isEqualTo(properties);
  }

  @Test
  @Rule({"S-077", "S-072"})
  void thePartitionKeyComesBackAndTheBrokersOwnAnnotationsAreNotTheClients(Sdk sdk) {
    var sent = new ServiceBusMessage("body").setPartitionKey("key-1");
    sent.getRawAmqpMessage().getMessageAnnotations().put("x-opt-sequence-number", 4_711L);

    var back = there(sdk, sent);

    assertThat(back.getSequenceNumber()).isEqualTo(1);
    assertThat(back.getPartitionKey()).isEqualTo("key-1");
    assertThat(back.getRawAmqpMessage().getHeader().getDeliveryCount()).isZero();
  }

  @Test
  @Rule({"S-072", "S-076"})
  void theSendersHeaderComesBack(Sdk sdk) {
    var sent = new ServiceBusMessage("body");
    sent.getRawAmqpMessage().getHeader().setDurable(true).setPriority((short) 9);

    var back = there(sdk, sent).getRawAmqpMessage().getHeader();

    assertThat(back.getPriority()).isEqualTo((short) 9);
    assertThat(back.isDurable()).isTrue();
  }

  @Test
  @Rule({"S-140", "S-146", "S-077"})
  void theBrokerAddsItsAnnotations(Sdk sdk) {
    var back = there(sdk, new ServiceBusMessage("body"));

    Map<String, Object> annotations = back.getRawAmqpMessage().getMessageAnnotations();
    assertThat(annotations)
        .containsKeys(
            "x-opt-enqueued-time",
            "x-opt-sequence-number",
            "x-opt-enqueue-sequence-number",
            "x-opt-locked-until");
    assertThat(back.getEnqueuedSequenceNumber()).isZero();
  }

  private static ServiceBusReceivedMessage there(Sdk sdk, ServiceBusMessage message) {
    TestQueue queue = sdk.queue(QueueKind.PLAIN);
    queue.sender().sendMessage(message);
    return queue.receive();
  }
}
