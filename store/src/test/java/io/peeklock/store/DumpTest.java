package io.peeklock.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.journal.inspection.StoreFolder;
import io.peeklock.journal.inspection.StoreFolder.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpTest {
  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    try (var log = DataFolder.small(folder)) {
      log.send(10).sendLarge(1_100_000).deadLetter(1);
      for (var i = 0; i < 15; i++) {
        log.send(800);
        log.checkpoint();
      }
    }
  }

  private String dump(long from, long to, @Nullable String queue) throws IOException {
    return CommandResult.dump(folder, new Dump.Choice(from, to, queue, true), false);
  }

  @Test
  void everyBatchIsALineWithFactsNamesAndBodies() throws IOException {
    var lines = dump(0, Long.MAX_VALUE, null).lines().toList();

    // A watermark comes with a pause, and whoever writes may be held up anywhere.
    var batches = lines.stream().filter(line -> !line.contains("\"watermark\":")).toList();
    assertThat(batches.get(0)).contains("\"fact\":\"QueueCreated\"", "\"path\":\"orders\"");
    assertThat(batches.get(1))
        .contains("\"index\":2", "\"term\":1", "\"time\":\"20")
        .contains("\"queue\":{\"number\":1,\"name\":\"orders\"}", "\"firstSequenceNumber\":1")
        .contains(Base64.getEncoder().encodeToString(DataFolder.bodyOf(1, 10)));
    assertThat(batches.get(2)).contains("\"bytes\":1100000", "\"file\":\"large/");
    assertThat(batches.get(3)).contains("orders/$deadletterqueue", "\"cause\":\"RECEIVER\"");
    assertThat(lines).filteredOn(line -> line.contains("\"watermark\":")).isNotEmpty();
    assertThat(lines).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
  }

  @Test
  void aRangeAndAQueueNarrowIt() throws IOException {
    assertThat(dump(2, 3, null).lines().filter(line -> line.contains("\"index\""))).hasSize(2);
    assertThat(dump(0, 99, "ORDERS")).contains("\"index\":2");
    assertThat(dump(0, 99, "others")).isBlank();
  }

  @Test
  void damageIsALineOfItsOwn() throws IOException {
    var first =
        StoreFolder.files(folder).keySet().stream()
            .filter(name -> StoreFolder.kindOf(name) == Kind.SEGMENT)
            .findFirst()
            .orElseThrow();
    CommandResult.flip(folder.resolve(first), 70);

    assertThat(dump(0, 99, null).lines().findFirst().orElseThrow())
        .contains("\"offset\":64", "\"damage\":\"no intact frame is here\"");
  }

  @Test
  void aCheckpointIsDumpedToo() throws IOException {
    var lines =
        CommandResult.dump(folder, new Dump.Choice(0, 99, null, false), true).lines().toList();

    assertThat(lines.get(0)).contains("\"coldSegments\":[]");
    assertThat(lines.get(1)).contains("\"segments\":[{\"number\":1,\"firstIndex\":1");
    assertThat(String.join("", lines))
        .contains("QueueRestored", "MessagesRestored", "\"causes\":[\"RECEIVER\"]");
  }

  @Test
  void theCommandPrintsToTheOutput() {
    assertThat(CommandResult.by("dump", folder, "--from", "1", "--to", "1").code()).isZero();
    assertThat(CommandResult.by("dump", folder, "--checkpoint", "--queue", "orders").code())
        .isZero();
  }
}
