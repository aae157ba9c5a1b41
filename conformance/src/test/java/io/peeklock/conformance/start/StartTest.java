package io.peeklock.conformance.start;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusMessage;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.conformance.raw.RawConnection;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class StartTest {
  private final Path folder = Folders.fresh("start");
  private final Deque<BrokerProcess> started = new ArrayDeque<>();

  @AfterEach
  void away() {
    started.forEach(BrokerProcess::close);
  }

  @Test
  void itIsReadySoonAndSaysWhereItListens() {
    var first = start("orders");
    var cold = first.readyAfter();
    first.stop();
    first.restart();
    var again = first.readyAfter();

    System.out.printf(
        Locale.ROOT,
        "ready after %d ms, on an existing folder after %d ms; %d MB resident%n",
        cold.toMillis(),
        again.toMillis(),
        first.residentBytes() >> 20);
    assertThat(cold).isLessThan(Duration.ofSeconds(10));
    assertThat(again).isLessThan(Duration.ofSeconds(10));
    assertThat(first.output().text())
        .contains("orders", folder.toString(), "SharedAccessKeyName=RootManageSharedAccessKey");
  }

  @Test
  void aPortInUseIsSaidWithWhoHasIt() throws IOException {
    try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var refused = kept(BrokerProcess.refused(folder, taken.getLocalPort(), List.of()));

      assertThat(refused.awaitExit()).isEqualTo(1);
      assertThat(refused.output().text())
          .contains("port " + taken.getLocalPort(), "is in use")
          .contains("pid " + ProcessHandle.current().pid())
          .doesNotContain("\tat ");
    }
  }

  @Test
  void aSecondBrokerOnTheSameFolderIsRefusedAndTheFirstGoesOn() {
    var first = start("orders");

    var second = kept(BrokerProcess.refused(folder, 0, List.of()));

    assertThat(second.awaitExit()).isEqualTo(1);
    assertThat(second.output().text()).contains(folder.toString()).doesNotContain("\tat ");
    assertThat(first.alive()).isTrue();
    send(first, "still here");
  }

  @Test
  @Rule({"S-001", "I-37"})
  void aQueueIsChangedOnRestartToWhatIsSaidOfItUnlessThatIsToBeRefused() {
    var first = start("orders,LockDuration=PT30S");
    send(first, "kept");
    first.stop();
    first.restart();
    assertThat(peekAll(first)).containsExactly("kept");
    first.stop();

    var strict = List.of("--strict-entities", "--queue", "orders,LockDuration=PT20S");
    var different = kept(BrokerProcess.refused(folder, 0, strict));

    assertThat(different.awaitExit()).isNotZero();
    assertThat(different.output().text())
        .contains("orders", "LockDuration")
        .doesNotContain("\tat ");
    var changed = start("orders,LockDuration=PT20S");
    assertThat(changed.output().text()).contains("orders is changed", "PT20S is asked for");
    assertThat(peekAll(changed)).containsExactly("kept");
  }

  @Test
  void aWrongOptionIsSaidWithTheNearestRightOne() {
    var wrong =
        kept(
            BrokerProcess.refused(
                folder, 0, BrokerProcess.queueOptions(List.of("orders,LockDurration=PT20S"))));

    assertThat(wrong.awaitExit()).isEqualTo(2);
    assertThat(wrong.output().text())
        .contains("LockDurration", "LockDuration?")
        .doesNotContain("\tat ");
  }

  @Test
  @Rule({"S-001", "I-01"})
  void stoppingUnderLoadLosesNothingThatWasAccepted() {
    var broker = start("orders");
    var accepted = Collections.synchronizedList(new ArrayList<String>());
    var over = new AtomicBoolean();
    var sender =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try (var client =
                      Sdk.connection(broker.connectionString())
                          .sender()
                          .queueName("orders")
                          .buildClient()) {
                    for (var i = 0; !over.get(); i++) {
                      client.sendMessage(new ServiceBusMessage("m" + i));
                      accepted.add("m" + i);
                    }
                  } catch (RuntimeException stopped) {
                    // The broker went away, as it was told to.
                    over.set(true);
                  }
                });
    Patience.until("it is under load", () -> accepted.size() > 200);

    var began = System.nanoTime();
    var code = broker.stop();
    var took = Duration.ofNanos(System.nanoTime() - began);
    over.set(true);
    broker.restart();

    System.out.printf(Locale.ROOT, "stopped under load after %d ms%n", took.toMillis());
    assertThat(code).isZero();
    assertThat(took).isLessThan(Duration.ofSeconds(10));
    Patience.until("the sender ended", Duration.ofSeconds(60), () -> !sender.isAlive());
    assertThat(peekEverything(broker)).containsAll(accepted);
  }

  @Test
  @Rule({"S-001", "I-01"})
  void aSecondSignalEndsItAtOnceAndLosesNothingEither() throws IOException {
    var broker = start("orders");
    send(broker, "kept");
    try (var silent = RawConnection.ready(broker.port())) {
      broker.askToStop();
      silent.await(RawConnection.CLOSE); // and it waits for an answer that does not come

      assertThat(broker.stop()).isEqualTo(130);
    }
    broker.restart();
    assertThat(peekAll(broker)).containsExactly("kept");
  }

  private BrokerProcess start(String queue) {
    return kept(BrokerProcess.withQueues(folder, queue));
  }

  private BrokerProcess kept(BrokerProcess broker) {
    started.push(broker);
    return broker;
  }

  private static void send(BrokerProcess broker, String body) {
    try (var sender =
        Sdk.connection(broker.connectionString()).sender().queueName("orders").buildClient()) {
      sender.sendMessage(new ServiceBusMessage(body));
    }
  }

  private static List<String> peekAll(BrokerProcess broker) {
    try (var receiver =
        Sdk.connection(broker.connectionString()).receiver().queueName("orders").buildClient()) {
      return TestQueue.bodies(receiver.peekMessages(250, 0).stream().toList());
    }
  }

  private static List<String> peekEverything(BrokerProcess broker) {
    var all = new ArrayList<String>();
    try (var receiver =
        Sdk.connection(broker.connectionString()).receiver().queueName("orders").buildClient()) {
      for (var next = receiver.peekMessages(250, 0).stream().toList();
          !next.isEmpty();
          next =
              receiver.peekMessages(250, next.getLast().getSequenceNumber() + 1).stream()
                  .toList()) {
        all.addAll(TestQueue.bodies(next));
      }
    }
    return all;
  }
}
