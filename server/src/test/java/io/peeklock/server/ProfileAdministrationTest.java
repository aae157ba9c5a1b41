package io.peeklock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.http.admin.atom.Problem;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.http.admin.properties.DefinitionForm;
import io.peeklock.http.admin.properties.Kind;
import io.peeklock.http.admin.properties.Tables;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.proof.Rule;
import io.peeklock.server.config.Profile;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the profiles let administrators do is what they let a configuration do. */
class ProfileAdministrationTest {

  private static QueueDefinition described(
      Profile profile, @Nullable QueueDefinition before, String elements) {
    var terms = ProfileAdministration.terms(profile, 0);
    var draft =
        before == null
            ? DefinitionForm.create(terms, "2021-05", "q", QueueRole.QUEUE)
            : DefinitionForm.update(terms, "2021-05", before);
    var xml = "<QueueDescription>" + elements + "</QueueDescription>";
    Tables.read(
        Kind.QUEUE,
        XmlNode.read(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8))),
        draft);
    return draft.build();
  }

  private static String element(String name, String value) {
    return "<" + name + ">" + value + "</" + name + ">";
  }

  @ParameterizedTest
  @Rule({"S-444", "S-431"})
  @CsvSource({
    "EMULATOR, MaxDeliveryCount, 10, 25",
    "EMULATOR, DefaultMessageTimeToLive, PT1H, P366D",
    "EMULATOR, DefaultMessageTimeToLive, PT5M, PT4M",
    "EMULATOR, MaxSizeInMegabytes, 100, 1025",
    "EMULATOR, DuplicateDetectionHistoryTimeWindow, PT5M, PT6M",
    "EMULATOR, LockDuration, PT5S, PT4S",
    "BASIC, DefaultMessageTimeToLive, P14D, P15D",
    "PREMIUM, MaxMessageSizeInKilobytes, 1024, 1023",
    "PREMIUM, MaxMessageSizeInKilobytes, 102400, 102401",
    "RELAXED, MaxMessageSizeInKilobytes, 1, 102401",
  })
  void theLimitsOfAProfileHoldForItsAdministratorsToo(
      Profile profile, String property, String good, String bad) {
    assertThatThrownBy(() -> described(profile, null, element(property, bad)))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("Parameter name: " + property);
    assertThat(described(profile, null, element(property, good))).isNotNull();
  }

  @Test
  void theTextThatClientsLookForNamesBothEnds() {
    assertThatThrownBy(
            () -> described(Profile.PREMIUM, null, element("MaxMessageSizeInKilobytes", "1")))
        .hasMessageContaining("must be between 1024 and 102400");
  }

  /** Java says "for ever", .NET and Java 1024 MB, in whatever they make. */
  @Test
  @Rule("S-444")
  void whatClientsAlwaysSayMeansNothingWhereAProfileTakesLess() {
    var forEver = element("DefaultMessageTimeToLive", "P10675199DT2H48M5.477S");
    var made = described(Profile.EMULATOR, null, forEver + element("MaxSizeInMegabytes", "1024"));

    assertThat(made.defaultTimeToLiveMillis()).isEqualTo(Duration.ofHours(1).toMillis());
    assertThat(made.maxSizeBytes()).isEqualTo(100L << 20);
    assertThat(described(Profile.BASIC, null, forEver).defaultTimeToLiveMillis())
        .isEqualTo(Duration.ofDays(14).toMillis());
    assertThat(described(Profile.STANDARD, null, forEver).defaultTimeToLiveMillis())
        .isEqualTo(QueueDefinition.FOREVER);
  }

  @Test
  @Rule("S-435")
  void inStandardEachPartitionHasTheSizeThatIsAskedFor() {
    var parts = element("EnablePartitioning", "true");
    var three = element("MaxSizeInMegabytes", "3072");
    var made = described(Profile.STANDARD, null, three + parts);
    var told = element("MaxSizeInMegabytes", Long.toString(made.maxSizeBytes() >> 20));

    assertThat(made.maxSizeBytes() >> 20).isEqualTo(49_152);
    assertThat(described(Profile.STANDARD, made, told).maxSizeBytes() >> 20).isEqualTo(49_152);
    assertThat(described(Profile.STANDARD, made, three).maxSizeBytes() >> 20).isEqualTo(49_152);
    assertThat(described(Profile.STANDARD, null, parts).maxSizeBytes() >> 20).isEqualTo(16_384);
    assertThat(described(Profile.PREMIUM, null, three + parts).maxSizeBytes() >> 20)
        .isEqualTo(3_072);
    assertThatThrownBy(() -> described(Profile.STANDARD, null, told))
        .hasMessageContaining("must be between 1024 and 5120");
  }
}
