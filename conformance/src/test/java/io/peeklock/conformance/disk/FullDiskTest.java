package io.peeklock.conformance.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusException;
import com.azure.messaging.servicebus.ServiceBusFailureReason;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Patience;
import io.peeklock.conformance.Sdk;
import io.peeklock.conformance.TestQueue;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The real program on a small file system that it fills, and that others fill. */
@Isolated
@SuppressWarnings("NullAway.Init") // each story starts its broker
@LongProof
class FullDiskTest {
  private static final int SIZE_MIB = 40;
  private static final int RESERVE_MIB = 16;
  private static final long BALLAST = (RESERVE_MIB << 20) / 8;
  private static final int BODY_BYTES = 100_000;
  private static final Duration SOON = Duration.ofSeconds(60);

  private SmallDisk disk;
  private BrokerProcess broker;
  private ServiceBusSenderClient sender;
  private ServiceBusReceiverClient receiver;
  private final Set<String> waiting = new HashSet<>();
  private int sent;

  @BeforeEach
  void mount() {
    disk = SmallDisk.mount(SIZE_MIB);
  }

  private void start(String... more) {
    var options =
        new ArrayList<>(
            List.of(
                "--queue",
                "orders,MaxDeliveryCount=1000",
                "--disk-reserve-megabytes",
                Integer.toString(RESERVE_MIB)));
    options.addAll(List.of(more));
    broker = BrokerProcess.start(disk.folder().resolve("data"), options);
    connect();
  }

  @AfterEach
  void away() {
    if (broker != null) {
      disconnect();
      broker.kill();
    }
    if (disk != null) {
      disk.unmount();
    }
  }

  private ServiceBusClientBuilder connection() {
    return Sdk.connection(broker.connectionString());
  }

  private void connect() {
    sender = connection().sender().queueName("orders").buildClient();
    receiver =
        connection()
            .receiver()
            .queueName("orders")
            .maxAutoLockRenewDuration(Duration.ZERO)
            .disableAutoComplete()
            .buildClient();
  }

  private void disconnect() {
    sender.close();
    receiver.close();
  }

  private Path ballast() {
    return broker.data().resolve("ballast");
  }

  private long ballastBytes() {
    try {
      return Files.exists(ballast()) ? Files.size(ballast()) : 0;
    } catch (IOException gone) {
      return 0;
    }
  }

  private void send() {
    var id = "m" + sent++;
    sender.sendMessage(new ServiceBusMessage(bodyOf(id)).setMessageId(id));
    waiting.add(id);
  }

  private static com.azure.core.util.BinaryData bodyOf(String id) {
    var bytes = new byte[BODY_BYTES];
    new Random(id.hashCode()).nextBytes(bytes);
    return com.azure.core.util.BinaryData.fromBytes(bytes);
  }

  private ServiceBusException sendUntilRefused() {
    while (sent < 10_000) {
      var refused = catchThrowableOfType(ServiceBusException.class, this::send);
      if (refused != null) {
        return refused;
      }
    }
    throw new AssertionError("it takes more than the disk has");
  }

  private void complete(int count) {
    TestQueue.next(receiver, count).forEach(this::complete);
  }

  private void complete(ServiceBusReceivedMessage message) {
    check(message);
    receiver.complete(message);
    assertThat(waiting.remove(message.getMessageId())).as(message.getMessageId()).isTrue();
  }

  private static void check(ServiceBusReceivedMessage message) {
    assertThat(message.getBody().toBytes()).isEqualTo(bodyOf(message.getMessageId()).toBytes());
  }

  private boolean takesSends() {
    return catchThrowableOfType(ServiceBusException.class, this::send) == null;
  }

  private long said(String text) {
    return broker.output().text().lines().filter(line -> line.contains(text)).count();
  }

  @Test
  @Rule({"I-08", "I-01", "I-05"})
  void sendsAreRefusedAndAllElseGoesOnUntilThereIsRoom() throws IOException {
    start();
    Patience.until("the ballast is there", () -> ballastBytes() == BALLAST);
    var refused = sendUntilRefused();
    assertThat(refused.getReason()).isEqualTo(ServiceBusFailureReason.QUOTA_EXCEEDED);
    assertThat(refused.isTransient()).isFalse();
    assertThat(refused).hasMessageContaining("takes no more messages for now");
    assertThat(disk.freeBytes()).isGreaterThan((RESERVE_MIB << 20) - BALLAST - (4 << 20));
    assertThat(waiting).hasSizeGreaterThan(150);
    assertThat(takesSends()).isFalse();
    complete(20);
    receiver.abandon(TestQueue.next(receiver));

    var others = disk.fill();
    Patience.until("the ballast is given up", () -> ballastBytes() == 0);
    complete(20);
    assertThat(broker.alive()).isTrue();
    assertThat(takesSends()).isFalse();
    assertThat(said("Sends are refused until there is room")).isEqualTo(1);
    assertThat(said("ballast is given up")).isEqualTo(1);

    disconnect();
    broker.kill();
    disk.fillMore(others);
    broker.restart();
    connect();
    // Not one byte is left, so nothing can be settled; but it starts, and nobody is misled.
    var held = TestQueue.next(receiver);
    assertThat(takesSends()).isFalse();

    Files.delete(others);
    complete(held);
    complete(waiting.size());
    // The log is one segment that is not full: only because it is dead does it go.
    Patience.until("sends are taken again", SOON, this::takesSends);
    Patience.until("the ballast is there again", SOON, () -> ballastBytes() == BALLAST);
    assertThat(said("Sends are refused until there is room")).isEqualTo(1);
    assertThat(said("Sends are taken again")).isEqualTo(1);
    complete(waiting.size());
    assertThat(receiver.peekMessage()).isNull();
  }

  private List<String> checkpoints() {
    try (var files = Files.list(broker.data())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".checkpoint"))
          .toList();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Test
  @Rule({"I-08", "I-01", "I-05"})
  void checkpointsNeverKeepTheDiskFull() {
    start("--checkpoint-megabytes", "6");
    for (var round = 0; round < 3; round++) {
      sendUntilRefused();
      Patience.until("an old one is removed", SOON, () -> checkpoints().size() == 2);
      complete(waiting.size());
      // What the two hold is dead, and no log grows that would make the next one due.
      Patience.until("sends are taken again", SOON, this::takesSends);
    }

    disconnect();
    broker.kill();
    broker.restart();
    connect();
    complete(waiting.size());
    assertThat(receiver.peekMessage()).isNull();
    assertThat(broker.output().text()).doesNotContain("checkpoint");
  }

  /** A file system of its own. */
  static final class SmallDisk {
    private final Path folder;

    private SmallDisk(Path folder) {
      this.folder = folder;
    }

    static SmallDisk mount(int mib) {
      return Mounts.tmpfs(mib, SmallDisk::new);
    }

    Path folder() {
      return folder;
    }

    long freeBytes() throws IOException {
      return Files.getFileStore(folder).getUsableSpace();
    }

    /** Takes every byte that is left. */
    Path fill() throws IOException {
      return fillMore(folder.resolve("others"));
    }

    Path fillMore(Path file) throws IOException {
      try (var out =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.APPEND)) {
        for (var size = 1 << 20; size >= 4_096; size /= 2) {
          var piece = ByteBuffer.allocate(size);
          while (freeBytes() >= size) {
            out.write(piece.clear());
          }
        }
      }
      return file;
    }

    void unmount() {
      Mounts.unmount(folder);
    }
  }
}
