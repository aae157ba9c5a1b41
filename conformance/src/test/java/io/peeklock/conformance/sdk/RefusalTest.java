package io.peeklock.conformance.sdk;

import static io.peeklock.conformance.sdk.Refused.refusedAs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.exception.AmqpException;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.QueueKind;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.WithBroker;
import io.peeklock.proof.Rule;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(WithBroker.class)
class RefusalTest {

  @Test
  @Rule({"S-062", "S-509", "S-006", "S-515", "T-59", "T-11"})
  void aMissingQueueIsSaidAtOnceToSenderReceiverAndPeeker(Sdk sdk) {
    sdk.queue(QueueKind.PLAIN).send("the client is warm now");
    var nowhere = sdk.queue("no-such-queue");
    var began = System.nanoTime();

    assertThatThrownBy(() -> nowhere.send("lost"))
        .satisfies(refusedAs(ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND))
        .hasMessageContaining("could not be found")
        .hasMessageContaining("TrackingId:");
    assertThatThrownBy(
            () -> nowhere.receiver().receiveMessages(1, TestQueue.PATIENCE).stream().count())
        .rootCause()
        .isInstanceOfSatisfying(
            AmqpException.class, refusal -> assertThat(refusal.isTransient()).isFalse())
        .hasMessageContaining("could not be found");
    assertThatThrownBy(() -> nowhere.anotherReceiver().peekMessage())
        .satisfies(refusedAs(ServiceBusFailureReason.MESSAGING_ENTITY_NOT_FOUND));

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  @Rule({"S-468", "S-478", "S-509"})
  void aWrongKeyIsRefused(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var thief = sdk.process().connectionString("not-the-key");
    var sender = sdk.closing(Sdk.connection(thief).sender().queueName(orders.name()).buildClient());
    var receiver =
        sdk.closing(Sdk.connection(thief).receiver().queueName(orders.name()).buildClient());

    assertThatThrownBy(() -> sender.sendMessage(new ServiceBusMessage("stolen")))
        .satisfies(refusedAs(ServiceBusFailureReason.UNAUTHORIZED));
    assertThatThrownBy(() -> receiver.peekMessage())
        .satisfies(refusedAs(ServiceBusFailureReason.UNAUTHORIZED));

    assertThat(orders.everything()).isEmpty();
  }

  @Test
  @Rule({"S-468", "T-56", "T-57"})
  void aTokenOfOnesOwnIsTakenAndAnExpiredOneIsNot(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var good = literal(sdk, Instant.now().plusSeconds(600));
    var stale = literal(sdk, Instant.now().minusSeconds(3_600));

    var sender = sdk.closing(Sdk.connection(good).sender().queueName(orders.name()).buildClient());
    sender.sendMessage(new ServiceBusMessage("welcome"));
    var late = sdk.closing(Sdk.connection(stale).sender().queueName(orders.name()).buildClient());

    assertThatThrownBy(() -> late.sendMessage(new ServiceBusMessage("late")))
        .isInstanceOfAny(ServiceBusException.class, AmqpException.class)
        .satisfies(refusedAs(ServiceBusFailureReason.UNAUTHORIZED));
    assertThat(TestQueue.bodies(orders.everything())).containsExactly("welcome");
  }

  @Test
  @Rule("S-183")
  void nobodySendsIntoADeadLetterQueue(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);
    var dead = sdk.queue(orders.name() + "/$deadletterqueue");

    assertThatThrownBy(() -> dead.send("forged")).isInstanceOf(RuntimeException.class);

    assertThat(orders.deadLetters()).isEmpty();
  }

  @Test
  @Rule({"S-060", "T-18"})
  void theNameOfAQueueIsTheSameInAnyCase(Sdk sdk) {
    var orders = sdk.queue(QueueKind.PLAIN);

    sdk.queue(orders.name().toUpperCase(java.util.Locale.ROOT)).send("loud");

    assertThat(TestQueue.bodies(orders.everything())).containsExactly("loud");
  }

  private static String literal(Sdk sdk, Instant expiry) {
    var resource = URLEncoder.encode("sb://localhost/", StandardCharsets.UTF_8);
    var text = resource + "\n" + expiry.getEpochSecond();
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(BrokerProcess.KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      var signature =
          URLEncoder.encode(
              Base64.getEncoder()
                  .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8))),
              StandardCharsets.UTF_8);
      return String.format(
          Locale.ROOT,
          "Endpoint=sb://localhost:%d;SharedAccessSignature=SharedAccessSignature"
              + " sr=%s&sig=%s&se=%d&skn=%s;%s",
          sdk.process().port(),
          resource,
          signature,
          expiry.getEpochSecond(),
          BrokerProcess.KEY_NAME,
          "UseDevelopmentEmulator=true");
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
