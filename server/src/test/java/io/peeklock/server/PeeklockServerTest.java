package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import io.peeklock.server.config.ServerSettings;
import io.peeklock.transport.PortInUseException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A whole broker in this JVM: what it starts with, what it refuses, how it ends. */
@Timeout(300)
class PeeklockServerTest {
  private static final byte[] AMQP = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

  private @TempDir Path folder;

  @Test
  void oneNamespaceThatFailsToCloseLetsTheOthersClose() {
    var closed = new ArrayList<String>();

    PeeklockServer.each(
        List.of("one", "two", "three"),
        name -> name,
        name -> {
          if (name.equals("one")) {
            throw new OutOfMemoryError("on purpose");
          }
          if (name.equals("two")) {
            throw new IllegalStateException("on purpose");
          }
          closed.add(name);
        });

    assertThat(closed).containsExactly("three");
  }

  @Test
  void oneLogThatFailsToCloseIsToldAndLetsTheOthersClose() {
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    var log = (Logger) LoggerFactory.getLogger(PeeklockServer.class);
    log.addAppender(lines);
    var later = new CompletableFuture<Void>();
    var closed = new ArrayList<String>();

    var logs =
        PeeklockServer.closing(
            List.of("at-once", "on-its-thread", "well"),
            name -> name,
            name ->
                switch (name) {
                  case "at-once" -> throw new OutOfMemoryError("on purpose");
                  case "on-its-thread" -> later;
                  default -> CompletableFuture.runAsync(() -> closed.add(name), Runnable::run);
                });
    later.completeExceptionally(new IllegalStateException("on purpose"));
    log.detachAppender(lines);

    assertThat(closed).containsExactly("well");
    assertThat(logs).hasSize(2).allMatch(one -> one.isDone() && !one.isCompletedExceptionally());
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "Stopping: the namespace at-once failed",
            "Stopping: the log of the namespace on-its-thread could not be closed");
  }

  @Test
  void aThousandQueuesAreThereWhenItHasStartedAndAfterTheNextStart() throws Exception {
    var options = new ArrayList<>(List.of("--port=0", "--data=" + folder.resolve("d")));
    for (var i = 0; i < 1_008; i++) {
      options.add("--queue=q" + i);
    }

    try (var server = PeeklockServer.start(ServeOptions.read(options))) {
      assertThat(server.catalogue().queues()).hasSize(1_008);
    }
    try (var server = start("--data=" + folder.resolve("d"))) {
      assertThat(server.catalogue().queue("Q1007")).isNotNull();
    }
  }

  @Test
  @Rule("S-061")
  void anEqualQueueIsFineAndWhoIsStrictHearsOfADifference() throws Exception {
    var data = "--data=" + folder.resolve("d");
    start(data, "--queue=a,MaxDeliveryCount=5").close();

    start(data, "--queue=a,MaxDeliveryCount=5").close();

    assertThatThrownBy(
            () -> start(data, "--queue=a,MaxDeliveryCount=6", "--queue=b", "--strict-entities"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("queue a exists and differs")
        .hasMessageContaining("MaxDeliveryCount");
  }

  @Test
  @Rule("I-46")
  void moreEntitiesThanTheHeapHasRoomForAreRefusedInOneSentence() {
    var options =
        Stream.concat(
            Stream.of("--data=" + folder.resolve("d"), "--limits=messages=1"),
            IntStream.range(0, 200).mapToObj(number -> "--queue=many" + number));

    assertThatThrownBy(() -> start(options.toArray(String[]::new)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageMatching(
            "queue many1\\d\\d cannot be made: at most 524288 bytes of memory for all entities are"
                + " allowed, by the profile or by the memory that there is; nor can \\d+ more");
  }

  @Test
  void aQueueThatIsNotThereAndAStoreWithoutRoomIsSaidInWords() throws Exception {
    if (Files.getFileStore(folder).getUsableSpace() >> 20 >= 1 << 20) {
      throw NotRun.because("the disk here has more room than any reserve");
    }
    var data = "--data=" + folder.resolve("d");

    assertThatThrownBy(() -> start(data, "--queue=a", "--disk-reserve-megabytes=1048576"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage(
            "queue a cannot be made: the store is full. Make room on the disk of the data folder,"
                + " or set a smaller --disk-reserve-megabytes; in memory, a larger"
                + " --memory-megabytes. Where messages take all that they may of the heap, start"
                + " without it and receive some, or give the broker more memory");
  }

  @Test
  void itAnswersAClientAndDropsItWhenItEnds() throws Exception {
    var server = start("--in-memory");
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(AMQP);
      assertThat(socket.getInputStream().readNBytes(8)).isEqualTo(AMQP);

      server.close();

      assertThat(socket.getInputStream().readAllBytes()).isNotNull();
    }
    var port = server.port();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(IOException.class);
  }

  @Test
  void aPortInUseIsSaid() throws Exception {
    try (var server = start("--in-memory")) {
      var options = List.of("--in-memory", "--port=" + server.port());

      assertThatThrownBy(() -> PeeklockServer.start(ServeOptions.read(options)))
          .isInstanceOf(PortInUseException.class);
    }
  }

  @Test
  void aFolderInUseIsSaidAndItsOwnerGoesOn() throws Exception {
    var data = "--data=" + folder.resolve("d");
    try (var server = start(data)) {
      assertThatThrownBy(() -> start(data))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("in use");
      assertThat(server.broken()).isNotDone();
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed() throws Exception {
    var file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> start("--data=" + file.resolve("d")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString());
  }

  @Test
  void plaintextForOtherMachinesMustBeAllowed() {
    assertThatThrownBy(() -> start("--in-memory", "--bind=0.0.0.0"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("--allow-plaintext");
  }

  @Test
  void allowedPlaintextWorksWithAKeyOfItsOwn() throws Exception {
    try (var server = start("--in-memory", "--bind=0.0.0.0", "--allow-plaintext")) {
      assertThat(server.connectionString()).doesNotContain("SAS_KEY_VALUE");
      assertThat(banner(server)).contains("INSECURE    nothing is encrypted");
    }
  }

  @Test
  void theEmulatorProfileWarnsThatEverybodyKnowsTheKey() throws Exception {
    try (var server = start("--in-memory", "--bind=0.0.0.0", "--profile=emulator")) {
      assertThat(server.connectionString()).contains("SharedAccessKey=SAS_KEY_VALUE;");
      assertThat(banner(server)).contains("INSECURE    everybody knows this key");
    }
  }

  @Test
  void aMadeKeyIsPrintedOnceOnly() throws Exception {
    var options =
        new String[] {"--data=" + folder.resolve("d"), "--bind=0.0.0.0", "--allow-plaintext"};
    String key;
    try (var server = start(options)) {
      key = server.key().text();
      assertThat(banner(server)).contains(key);
    }
    try (var server = start(options)) {
      assertThat(server.key().text()).isEqualTo(key);
      assertThat(banner(server)).doesNotContain(key);
    }
  }

  @Test
  void theBannerEndsWithTheLineThatScriptsWaitForAndNamesTwentyQueues() throws Exception {
    var options = new ArrayList<>(List.of("--in-memory"));
    for (var i = 10; i < 35; i++) {
      options.add("--queue=q" + i);
    }

    try (var server = start(options.toArray(String[]::new))) {
      assertThat(banner(server))
          .contains("q10, q11")
          .contains("q29 and 5 more (25 in all)")
          .contains("Endpoint=sb://localhost:" + server.port() + ";")
          .endsWith("\nEmulator Service is Successfully Up!\n");
    }
  }

  @Test
  void closingTwiceIsHarmless() throws Exception {
    var server = start("--in-memory");

    server.close();
    server.close();

    assertThat(server.broken()).isNotDone();
  }

  private static PeeklockServer start(String... options) throws IOException {
    var all = new ArrayList<>(List.of("--port=0"));
    all.addAll(List.of(options));
    return PeeklockServer.start(ServeOptions.read(all));
  }

  private static String banner(PeeklockServer server) throws IOException {
    var out = new ByteArrayOutputStream();
    Banner.print(server, new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void embeddingNeedsNoOptions() throws Exception {
    var settings = ServerSettings.inMemory(List.of(QueueDefinition.named("q")));

    try (var server = PeeklockServer.start(settings)) {
      assertThat(server.catalogue().queue("q")).isNotNull();
    }
  }
}
