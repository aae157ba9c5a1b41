package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.server.config.ConfigurationException;
import io.peeklock.server.config.ServeOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a start makes of entities that are stored already and were asked for otherwise. */
@Timeout(300)
class StoredEntitiesTest {
  private @TempDir Path folder;

  private PeeklockServer start(String... options) throws IOException {
    var all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--port=0", "--data=" + folder));
    return PeeklockServer.start(ServeOptions.read(all));
  }

  private static QueueDefinition of(PeeklockServer server, String path) {
    return Objects.requireNonNull(server.catalogue().queue(path)).definition();
  }

  @Test
  void whatWasNotSaidStaysAsItIsStored() throws IOException {
    start("--queue=orders,LockDuration=PT30S,MaxDeliveryCount=4").close();

    for (var profile : List.of("relaxed", "standard", "emulator")) {
      try (var server = start("--queue=orders", "--profile=" + profile)) {
        assertThat(of(server, "orders").lockDurationMillis()).isEqualTo(30_000);
        assertThat(of(server, "orders").maxDeliveryCount()).isEqualTo(4);
      }
    }
  }

  @Test
  void whatWasSaidAndMayChangeIsChanged() throws IOException {
    start("--queue=orders,LockDuration=PT30S,MaxDeliveryCount=4").close();

    try (var server = start("--queue=orders,MaxDeliveryCount=6")) {
      assertThat(of(server, "orders").maxDeliveryCount()).isEqualTo(6);
      assertThat(of(server, "orders").lockDurationMillis()).isEqualTo(30_000);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RequiresSession=true,RequiresSession",
    "RequiresDuplicateDetection=true,RequiresDuplicateDetection",
    "EnablePartitioning=true,EnablePartitioning"
  })
  void whatWasSaidAndIsFixedStaysAndTheBrokerStarts(String said, String name) throws IOException {
    start("--queue=orders").close();

    try (var server = start("--queue=orders,MaxDeliveryCount=6," + said)) {
      assertThat(of(server, "orders").maxDeliveryCount()).isEqualTo(6);
      assertThat(of(server, "orders").requiresSession()).isFalse();
      assertThat(of(server, "orders").duplicateWindowMillis()).isZero();
    }
    assertThatThrownBy(() -> start("--queue=orders," + said, "--strict-entities").close())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("queue orders exists and differs");
  }

  @Test
  void aWindowIsChangedWithoutSayingThatThereIsOneAgain() throws IOException {
    var detecting = "--queue=orders,RequiresDuplicateDetection=true";
    start(detecting + ",DuplicateDetectionHistoryTimeWindow=PT2M").close();

    try (var server = start(detecting)) {
      assertThat(of(server, "orders").duplicateWindowMillis()).isEqualTo(120_000);
    }
    try (var server = start(detecting + ",DuplicateDetectionHistoryTimeWindow=PT3M")) {
      assertThat(of(server, "orders").duplicateWindowMillis()).isEqualTo(180_000);
    }
    try (var server = start("--queue=orders")) {
      assertThat(of(server, "orders").duplicateWindowMillis()).isEqualTo(180_000);
    }
  }

  @Test
  void whoIsStrictHearsOfADifferenceInTheUnitsOfPeople() throws IOException {
    start("--queue=orders,MaxSizeInMegabytes=5").close();

    start("--queue=orders", "--strict-entities").close();
    assertThatThrownBy(
            () ->
                start("--queue=orders,LockDuration=PT30S,MaxSizeInMegabytes=7", "--strict-entities")
                    .close())
        .hasMessageContaining("LockDuration is PT1M, PT30S is asked for")
        .hasMessageContaining("MaxSize is 5 MiB, 7 MiB is asked for");
  }

  @Test
  void aTopicIsNotTakenForAQueue() throws IOException {
    start("--topic=orders").close();

    assertThatThrownBy(() -> start("--queue=orders").close())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("queue orders: topic orders has this name");
  }
}
