package io.peeklock.conformance.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.models.ServiceBusReceiveMode;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.TestQueue;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Config.json written for the vendor's emulator, the real program, and the Java client. */
@Timeout(180)
class EmulatorConfigTest {
  private static final String CONFIG =
      """
      {
        // written for the emulator
        "UserConfig": {
          "Namespaces": [
            {
              "Name": "sbemulatorns",
              "Queues": [
                {
                  "Name": "queue.1",
                  "Properties": {
                    "DeadLetteringOnMessageExpiration": false,
                    "DefaultMessageTimeToLive": "PT1H",
                    "DuplicateDetectionHistoryTimeWindow": "PT20S",
                    "ForwardDeadLetteredMessagesTo": "",
                    "ForwardTo": "",
                    "LockDuration": "PT1M",
                    "MaxDeliveryCount": 3,
                    "RequiresDuplicateDetection": false,
                    "RequiresSession": false
                  }
                }
              ],
              "Topics": [
                {
                  "Name": "topic.1",
                  "Properties": { "DefaultMessageTimeToLive": "PT1H" },
                  "Subscriptions": [
                    {
                      "Name": "reds",
                      "Properties": { "ForwardTo": "queue.1" },
                      "Rules": [
                        {
                          "Name": "red",
                          "Properties": {
                            "FilterType": "Correlation",
                            "CorrelationFilter": {
                              "Label": "paint",
                              "Properties": { "colour": "red", "coats": 2 }
                            }
                          }
                        }
                      ]
                    },
                    {
                      "Name": "dear",
                      "Properties": { "MaxDeliveryCount": 5 },
                      "Rules": [
                        {
                          "Name": "price",
                          "Properties": {
                            "FilterType": "Sql",
                            "SqlFilter": { "SqlExpression": "price > 100" },
                            "Action": { "SqlExpression": "SET class = 'dear'" }
                          }
                        }
                      ]
                    },
                    { "Name": "all" }
                  ]
                }
              ]
            }
          ],
          "Logging": { "Type": "File" }
        }
      }
      """;

  private @TempDir Path folder;

  private static ServiceBusMessage paint(String body, String colour, int coats, int price) {
    var message = new ServiceBusMessage(body).setSubject("paint");
    message.getApplicationProperties().put("colour", colour);
    message.getApplicationProperties().put("coats", coats);
    message.getApplicationProperties().put("price", price);
    return message;
  }

  @Test
  void aFileWrittenForTheEmulatorStartsTheBrokerAndItsRulesAreMinded() throws Exception {
    var file = Files.writeString(folder.resolve("Config.json"), CONFIG);
    var options = List.of("--config", file.toString());
    try (var broker = BrokerProcess.start(Folders.fresh("emulator"), options);
        var sender = client(broker).sender().topicName("topic.1").buildClient();
        var reds =
            client(broker)
                .receiver()
                .queueName("queue.1")
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient();
        var dear =
            client(broker)
                .receiver()
                .topicName("topic.1")
                .subscriptionName("dear")
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient();
        var all =
            client(broker)
                .receiver()
                .topicName("topic.1")
                .subscriptionName("all")
                .receiveMode(ServiceBusReceiveMode.RECEIVE_AND_DELETE)
                .buildClient()) {
      sender.sendMessage(paint("cheap blue", "blue", 2, 10));
      sender.sendMessage(paint("dear blue", "blue", 2, 200));
      sender.sendMessage(paint("thin red", "red", 1, 10));
      sender.sendMessage(paint("cheap red", "red", 2, 10));

      assertThat(TestQueue.next(reds).getBody()).hasToString("cheap red");
      var changed = TestQueue.next(dear);
      assertThat(changed.getBody()).hasToString("dear blue");
      assertThat(changed.getApplicationProperties()).containsEntry("class", "dear");
      for (var body : List.of("cheap blue", "dear blue", "thin red", "cheap red")) {
        assertThat(TestQueue.next(all).getBody()).hasToString(body);
      }
      var health = health(broker.port());
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(health.body()).isEqualTo("{\"status\":\"healthy\"}");
      assertThat(broker.output().text())
          .contains("profile     emulator")
          .contains("Emulator Service is Successfully Up!")
          .doesNotContain("WARN");
    }
  }

  @Test
  void whatIsWrongInItIsNamedAndNothingStarts() throws Exception {
    var wrong = CONFIG.replace("\"MaxDeliveryCount\": 5", "\"MaxDeliveryCount\": 50");
    var file = Files.writeString(folder.resolve("Config.json"), wrong);

    var refused =
        BrokerProcess.refused(
            Folders.fresh("emulator-wrong"), 0, List.of("--config", file.toString()));

    assertThat(refused.output().text())
        .contains(
            "Config.json, line 46, $.UserConfig.Namespaces[0].Topics[0].Subscriptions[1]"
                + ".Properties.MaxDeliveryCount: ")
        .contains("50 is out of range; from 1 to 10 is taken")
        .doesNotContain("Successfully Up");
  }

  private static ServiceBusClientBuilder client(BrokerProcess broker) {
    return new ServiceBusClientBuilder().connectionString(broker.connectionString());
  }

  private static HttpResponse<String> health(int port) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var address = String.format(Locale.ROOT, "http://localhost:%d/health", port);
      return http.send(
          HttpRequest.newBuilder(URI.create(address)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
