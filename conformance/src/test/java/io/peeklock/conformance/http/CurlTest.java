package io.peeklock.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.util.BinaryData;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The runtime API as its users have it: curl on one side, curl or the Java client on the other. */
@ExtendWith(WithBroker.class)
@LongProof
class CurlTest {
  private @TempDir Path folder;

  private Curl curl(Sdk sdk) {
    return new Curl("http://localhost:" + sdk.process().port(), folder);
  }

  @Test
  @Rule({"S-021", "S-024", "S-032", "S-105", "S-405", "S-502"})
  void theStoryIsToldWithCurlAlone() throws IOException {
    Curl.needs("curl", "--version");
    Curl.needs("openssl", "version");
    Curl.needs("bash", "--version");
    var options =
        List.of(
            "--queue", "curl-story",
            "--queue", "curl-once,MaxDeliveryCount=1",
            "--queue", "curl-short,LockDuration=PT1S",
            "--topic", "curl-topic",
            "--subscription", "curl-topic/a",
            "--subscription", "curl-topic/once,MaxDeliveryCount=1");
    try (var broker = BrokerProcess.start(Folders.fresh("curl"), options)) {
      var story = Folders.module().resolve("curl/story").toString();

      var told = Curl.run(List.of(story, "http://localhost:" + broker.port()), folder);

      assertThat(told.said()).endsWith("told to its end\n");
      assertThat(told.exitCode()).isZero();
    }
  }

  @Test
  @Rule("S-084")
  void whatCurlSendsTheJavaClientReceives(Sdk sdk) {
    var queue = sdk.queue(QueueKind.PLAIN);

    var reply =
        curl(sdk)
            .ask(
                "POST",
                "/" + queue.name() + "/messages",
                "--data-binary",
                "hello",
                "-H",
                "Content-Type: text/plain",
                "-H",
                "BrokerProperties: {\"MessageId\":\"id\",\"CorrelationId\":\"c\",\"Label\":\"Grüße\","
                    + "\"To\":\"t\",\"ReplyTo\":\"r\",\"ReplyToSessionId\":\"rs\","
                    + "\"PartitionKey\":\"p\",\"TimeToLive\":600}",
                "-H",
                "hello: \"world\"",
                "-H",
                "dob: \"Wed, 14 Dec 2011 00:00:00 GMT\"",
                "-H",
                "large: 8555111000",
                "-H",
                "floating: 3.14",
                "-H",
                "active: true",
                "-H",
                "Deceased: false",
                "-H",
                "quoted: \"a \\\"b\\\"\"");
    assertThat(reply.status()).isEqualTo(201);

    var message = queue.receive();
    assertThat(message.getBody()).hasToString("hello");
    assertThat(message.getContentType()).isEqualTo("text/plain");
    assertThat(message.getMessageId()).isEqualTo("id");
    assertThat(message.getCorrelationId()).isEqualTo("c");
    assertThat(message.getSubject()).isEqualTo("Grüße");
    assertThat(message.getTo()).isEqualTo("t");
    assertThat(message.getReplyTo()).isEqualTo("r");
    assertThat(message.getReplyToSessionId()).isEqualTo("rs");
    assertThat(message.getPartitionKey()).isEqualTo("p");
    assertThat(message.getTimeToLive()).isEqualTo(Duration.ofMinutes(10));
    assertThat(message.getDeliveryCount()).isZero();
    assertThat(message.getApplicationProperties())
        .containsEntry("hello", "world")
        .containsEntry("dob", Date.from(Instant.parse("2011-12-14T00:00:00Z")))
        .containsEntry("large", 8_555_111_000L)
        .containsEntry("floating", 3.14)
        .containsEntry("active", true)
        .containsEntry("Deceased", false)
        .containsEntry("quoted", "a \"b\"")
        .hasSize(7);
    queue.receiver().complete(message);
  }

  @Test
  @Rule({"S-084", "S-118"})
  void whatTheJavaClientSendsCurlReceives(Sdk sdk) {
    var queue = sdk.queue(QueueKind.PLAIN);
    var message =
        new ServiceBusMessage("hello")
            .setMessageId("id")
            .setCorrelationId("c")
            .setSubject("Grüße")
            .setTo("t")
            .setReplyTo("r")
            .setReplyToSessionId("rs")
            .setPartitionKey("p")
            .setContentType("text/plain")
            .setTimeToLive(Duration.ofSeconds(90));
    var properties = message.getApplicationProperties();
    properties.put("hello", "world");
    properties.put("Int", 7);
    properties.put("large", 8_555_111_000L);
    properties.put("floating", 3.14);
    properties.put("Good", true);
    properties.put("time", OffsetDateTime.of(2011, 12, 14, 0, 0, 0, 0, ZoneOffset.UTC));
    properties.put("foreign", "Grüße");
    queue.sender().sendMessage(message);
    var curl = curl(sdk);

    var got =
        curl.ask(
            "POST", "/" + queue.name() + "/messages/head?timeout=15", "-H", "Content-Length: 0");

    assertThat(got.status()).isEqualTo(201);
    assertThat(got.text()).isEqualTo("hello");
    assertThat(got.header("Content-Type")).isEqualTo("text/plain");
    assertThat(got.header("hello")).isEqualTo("\"world\"");
    assertThat(got.header("Int")).isEqualTo("7");
    assertThat(got.header("large")).isEqualTo("8555111000");
    assertThat(got.header("floating")).isEqualTo("3.14");
    assertThat(got.header("Good")).isEqualTo("true");
    assertThat(got.header("time")).isEqualTo("\"Wed, 14 Dec 2011 00:00:00 GMT\"");
    assertThat(got.header("foreign")).isEqualTo("\"Gr\\u00fc\\u00dfe\"");
    assertThat(got.header("BrokerProperties"))
        .startsWith("{\"CorrelationId\":\"c\",\"DeliveryCount\":1,\"EnqueuedSequenceNumber\":0,")
        .contains(
            "\"Label\":\"Gr\\u00FC\\u00DFe\"", "\"MessageId\":\"id\"", "\"PartitionKey\":\"p\"")
        .contains("\"ReplyTo\":\"r\"", "\"ReplyToSessionId\":\"rs\"", "\"State\":\"Active\"")
        .endsWith("\"TimeToLive\":90,\"To\":\"t\"}");
    assertThat(curl.ask("DELETE", got.header("Location")).status()).isEqualTo(200);
    assertThat(queue.everything()).isEmpty();
  }

  /** One lock table: what one wire has locked the other cannot have, and may not be told twice. */
  @Test
  @Rule({"S-024", "S-097", "S-109"})
  void bothWiresShareTheirLocks(Sdk sdk) {
    var queue = sdk.queue(QueueKind.PLAIN);
    var curl = curl(sdk);
    queue.send("a");
    var locked = queue.receive();
    var path = "/" + queue.name() + "/messages";

    assertThat(curl.ask("DELETE", path + "/head?timeout=0").status()).isEqualTo(204);
    var lock = path + "/" + locked.getSequenceNumber() + "/" + locked.getLockToken();
    assertThat(curl.ask("POST", lock, "-H", "Content-Length: 0").status()).isEqualTo(200);
    assertThat(curl.ask("PUT", lock, "-H", "Content-Length: 0").status()).isEqualTo(200);

    var again = queue.receive();
    assertThat(again.getDeliveryCount()).isEqualTo(1);
    queue.receiver().complete(again);
    assertThat(curl.ask("DELETE", lock).status()).isEqualTo(404);
  }

  @Test
  void aLargeMessageOfTheJavaClientIsStreamed(Sdk sdk) {
    var queue = sdk.queue(QueueKind.PLAIN);
    var body = new byte[20 << 20];
    for (var i = 0; i < body.length; i++) {
      body[i] = (byte) (i * 31 + (i >> 10));
    }
    queue.sender().sendMessage(new ServiceBusMessage(BinaryData.fromBytes(body)));
    var curl = curl(sdk);

    var got =
        curl.ask(
            "POST", "/" + queue.name() + "/messages/head?timeout=15", "-H", "Content-Length: 0");

    assertThat(got.status()).isEqualTo(201);
    assertThat(Arrays.equals(got.body(), body)).isTrue();
    assertThat(curl.ask("DELETE", got.header("Location")).status()).isEqualTo(200);
  }

  @Test
  @Rule({"S-431", "S-407"})
  void whatIsTooLargeIsSaid(Sdk sdk) throws IOException {
    var curl = curl(sdk);
    var file = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);
    var small = sdk.queue(QueueKind.SMALL_MESSAGES);

    var refused = curl.ask("POST", "/" + small.name() + "/messages", "--data-binary", "@" + file);

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("<Error><Code>403</Code><Detail>SubCode=40300.");
    var batch =
        curl.ask(
            "POST",
            "/" + sdk.queue(QueueKind.PLAIN).name() + "/messages",
            "--data-binary",
            "@" + file,
            "-H",
            "Content-Type: application/vnd.microsoft.servicebus.json");
    assertThat(batch.status()).isEqualTo(413);
  }
}
