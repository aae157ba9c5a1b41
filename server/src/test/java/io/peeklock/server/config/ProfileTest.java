package io.peeklock.server.config;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.entity.NamespaceLimits;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.filter.FilterLimits;
import io.peeklock.proof.Rule;
import io.peeklock.runtime.naming.IsoDuration;
import io.peeklock.server.config.ProfileLimits.Sizes;
import io.peeklock.server.config.ProfileLimits.Times;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The numbers of the profiles, written down a second time from the vendor's pages. */
class ProfileTest {
  /** In which row of the guide each number is. */
  private static final Map<String, String> ROWS =
      Map.ofEntries(
          entry("defaultMessage", "Largest message"),
          entry("smallestMaximum", "Largest message"),
          entry("largestMessage", "Largest message"),
          entry("batch", "Largest batch"),
          entry("http", "Largest message over HTTP"),
          entry("defaultEntity", "Size of an entity"),
          entry("largestEntity", "Size of an entity"),
          entry("shortestLock", "Shortest lock"),
          entry("defaultLife", "Time to live of an entity's messages"),
          entry("shortestLife", "Time to live of an entity's messages"),
          entry("longestLife", "Time to live of an entity's messages"),
          entry("defaultWindow", "Duplicate-detection window"),
          entry("longestWindow", "Duplicate-detection window"),
          entry("defaultDeliveries", "`MaxDeliveryCount`"),
          entry("mostDeliveries", "`MaxDeliveryCount`"),
          entry("entities", "Queues and topics"),
          entry("subscriptionsPerTopic", "Subscriptions of a topic"),
          entry("sqlFiltersPerTopic", "SQL filters of a topic"),
          entry("correlationFiltersPerTopic", "Correlation filters of a topic"),
          entry("queuesOnly", "Topics, sessions, duplicate detection, transactions"),
          entry("filters", "Characters of a filter or action"),
          entry("connections", "Connections"),
          entry("connectionsPerAddress", "… from one address but this machine's"),
          entry("receiversPerEntity", "Receivers of a queue, or of a topic over its subscriptions"),
          entry("creditsPerSecond", "Credits per second"),
          entry("oneEntityPerTransaction", "A transaction spans entities"),
          entry("sharedSessions", "Non-exclusive sessions"));

  private static ServerSettings read(String... options) {
    return ServeOptions.read(List.of(options));
  }

  private static QueueDefinition queue(String profile, String properties) {
    return read("--profile", profile, "--queue", "q" + properties)
        .entities()
        .getFirst()
        .definition();
  }

  @ParameterizedTest
  @Rule({"S-437", "S-440", "S-365", "S-444"})
  @CsvSource({
    "basic, 10000, 2000, 2000, 100000, true",
    "standard, 10000, 2000, 2000, 100000, false",
    "premium, 1000, 2000, 2000, 100000, false",
    "emulator, 50, 50, 70, 1000, false",
    "relaxed, 2147483647, 2147483647, 2147483647, 2147483647, false"
  })
  void aNamespaceMayHaveSoMuch(
      String profile,
      int entities,
      int subscriptions,
      int sqlFilters,
      int correlationFilters,
      boolean queuesOnly) {
    var limits = read("--profile", profile).limits();

    assertThat(limits.namespace().entities()).isEqualTo(entities);
    assertThat(limits.namespace().subscriptionsPerTopic()).isEqualTo(subscriptions);
    assertThat(limits.namespace().sqlFiltersPerTopic()).isEqualTo(sqlFilters);
    assertThat(limits.namespace().correlationFiltersPerTopic()).isEqualTo(correlationFilters);
    assertThat(limits.namespace().queuesOnly()).isEqualTo(queuesOnly);
    if (!profile.equals("relaxed")) {
      assertThat(limits.filters()).isEqualTo(FilterLimits.STANDARD);
    }
  }

  /** Premium takes larger ones over AMQP alone. */
  @ParameterizedTest
  @Rule("S-431")
  @CsvSource({
    "basic, 262144",
    "standard, 262144",
    "premium, 1048576",
    "emulator, 262144",
    "relaxed, 104857600"
  })
  void messagesOverHttpAreSoLarge(String profile, long bytes) {
    assertThat(read("--profile", profile).limits().sizes().http()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @Rule({"S-438", "S-439", "S-445", "S-407", "S-444"})
  @CsvSource({
    "basic, 5000, 5000, 1000, 262144",
    "standard, 5000, 5000, 1000, 262144",
    "premium, 5000, 5000, 0, 1048576",
    "emulator, 10, 200, 0, 262144",
    "relaxed, 2147483647, 2147483647, 0, 33554432"
  })
  void soMuchHappensAtATime(
      String profile, int connections, int receivers, long credits, int batchBytes) {
    var limits = read("--profile", profile).limits();

    assertThat(limits.connections()).isEqualTo(connections);
    assertThat(limits.receiversPerEntity()).isEqualTo(receivers);
    assertThat(limits.creditsPerSecond()).isEqualTo(credits);
    assertThat(limits.sizes().batch()).isEqualTo(batchBytes);
  }

  @ParameterizedTest
  @Rule({"S-435", "S-444"})
  @CsvSource({"basic, 5120", "standard, 5120", "premium, 81920", "emulator, 100"})
  void anEntityIsAtMostSoLarge(String profile, long megabytes) {
    assertThat(queue(profile, ",MaxSizeInMegabytes=" + megabytes).maxSizeBytes())
        .isEqualTo(megabytes << 20);
    assertThatThrownBy(() -> queue(profile, ",MaxSizeInMegabytes=" + (megabytes + 1)))
        .hasMessageContaining("from 1 to " + megabytes);
  }

  @ParameterizedTest
  @Rule({"S-166", "S-444"})
  @CsvSource({"basic, P14D, PT336H1S", "emulator, PT1H, PT1H1S"})
  void messagesLiveAtMostSoLong(String profile, String longest, String longer) {
    assertThat(queue(profile, "").defaultTimeToLiveMillis()).isEqualTo(IsoDuration.millis(longest));
    assertThat(queue(profile, ",DefaultMessageTimeToLive=" + longest))
        .isEqualTo(queue(profile, ""));
    assertThatThrownBy(() -> queue(profile, ",DefaultMessageTimeToLive=" + longer))
        .hasMessageContaining("is longer than the profile " + profile);
    assertThatThrownBy(() -> queue(profile, ",DefaultMessageTimeToLive=P10675199DT2H48M5.4775807S"))
        .hasMessageContaining("is longer than");
  }

  @Test
  @Rule({"S-166", "S-444"})
  void elsewhereMessagesLiveForEver() {
    for (var profile : List.of("standard", "premium", "relaxed")) {
      assertThat(queue(profile, "").defaultTimeToLiveMillis()).isEqualTo(QueueDefinition.FOREVER);
    }
  }

  @Test
  @Rule("S-444")
  void theEmulatorTakesWhatTheEmulatorTakes() {
    assertThat(queue("emulator", ",MaxDeliveryCount=10").maxDeliveryCount()).isEqualTo(10);
    assertThatThrownBy(() -> queue("emulator", ",MaxDeliveryCount=11"))
        .hasMessageContaining("from 1 to 10");
    assertThatThrownBy(() -> queue("emulator", ",DefaultMessageTimeToLive=PT299S"))
        .hasMessageContaining("shorter than 300 seconds");
    assertThat(queue("emulator", ",RequiresDuplicateDetection=true").duplicateWindowMillis())
        .isEqualTo(20_000);
    assertThatThrownBy(() -> queue("emulator", ",DuplicateDetectionHistoryTimeWindow=PT301S"))
        .hasMessageContaining("PT20S to PT5M");
  }

  @Test
  void theGuideHasARowForEveryNumber() throws IOException {
    var guide = Files.readString(Path.of("..", "docs", "guide", "profiles.md"));
    var groups = Set.of(Sizes.class, Times.class, NamespaceLimits.class);

    assertThat(Arrays.stream(ProfileLimits.class.getRecordComponents()))
        .flatMap(
            component ->
                groups.contains(component.getType())
                    ? List.of(component.getType().getRecordComponents())
                    : List.of(component))
        .extracting(RecordComponent::getName)
        .containsExactlyInAnyOrderElementsOf(ROWS.keySet());
    assertThat(ROWS.values()).allMatch(row -> guide.contains("\n| " + row + " |"));
  }

  @Test
  void whatHappensAtATimeCanBeSetOtherwise() {
    var limits =
        read(
                "--profile=emulator",
                "--connection-limit=7",
                "--address-limit=6",
                "--receiver-limit=8",
                "--credits-per-second=9")
            .limits();

    assertThat(limits.connections()).isEqualTo(7);
    assertThat(limits.connectionsPerAddress()).isEqualTo(6);
    assertThat(limits.receiversPerEntity()).isEqualTo(8);
    assertThat(limits.creditsPerSecond()).isEqualTo(9);
    assertThat(limits.namespace()).isEqualTo(Profile.EMULATOR.limits().namespace());
    assertThat(read("--profile=standard", "--credits-per-second=0").limits().creditsPerSecond())
        .isZero();
    for (var wrong :
        List.of("--connection-limit=0", "--receiver-limit=x", "--credits-per-second=-1")) {
      assertThatThrownBy(() -> read(wrong)).isInstanceOf(ConfigurationException.class);
    }
  }
}
