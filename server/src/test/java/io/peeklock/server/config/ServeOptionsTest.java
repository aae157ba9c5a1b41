package io.peeklock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.entity.EntityStatus;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.proof.Rule;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the options of serve come to, and every way to get them wrong. */
class ServeOptionsTest {

  @Test
  void withoutOptionsItListensOnLoopbackAndKeepsItsDataInTheWorkingFolder() {
    var settings = read();

    assertThat(settings.address().getPort()).isEqualTo(5672);
    assertThat(settings.loopback()).isTrue();
    assertThat(settings.data()).isEqualTo(Path.of("peeklock-data"));
    assertThat(settings.profile()).isEqualTo(Profile.RELAXED);
    assertThat(settings.allowPlaintext()).isFalse();
    assertThat(settings.definitions()).isEmpty();
  }

  @Test
  void thePortOfTheEmulatorsHttpIsOpenOnlyWhereNoPortIsNamed() {
    var otherwise = read().listening();
    var one = read("--port", "0").listening();
    var many = read("--port=5672, 5671,443,0,0", "--host-names", "a,b.c").listening();

    assertThat(otherwise.ports()).containsExactly(5672, 5300);
    assertThat(otherwise.asked()).isFalse();
    assertThat(one.ports()).containsExactly(0);
    assertThat(one.asked()).isTrue();
    assertThat(many.ports()).containsExactly(5672, 5671, 443, 0, 0);
    assertThat(many.hostNames()).containsExactly("a", "b.c");
    assertThat(read("--cors-origin=https://a.example,http://[::1]:80").listening().origins())
        .containsExactly("https://a.example", "http://[::1]:80");
    assertThat(one.origins()).isEmpty();
  }

  @Test
  void sizesAreInMebibytes() {
    var otherwise = read();
    var said = read("--disk-reserve-megabytes", "4096", "--checkpoint-megabytes", "1");

    assertThat(otherwise.diskReserveBytes()).isEqualTo(256L << 20);
    assertThat(otherwise.checkpointBytes()).isEqualTo(256L << 20);
    assertThat(said.diskReserveBytes()).isEqualTo(4L << 30);
    assertThat(said.checkpointBytes()).isEqualTo(1L << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--disk-reserve-megabytes", "--checkpoint-megabytes"})
  void sizesHaveBounds(String option) {
    for (var wrong : List.of("0", "-1", "1048577", "99999999999999999999", "256MiB")) {
      assertThatThrownBy(() -> read(option, wrong))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(option)
          .hasMessageContaining(wrong);
    }
  }

  @Test
  @Rule("S-063")
  void aQueueWithoutPropertiesHasTheDefaults() {
    var settings = read("--queue", "orders");

    assertThat(settings.definitions()).containsExactly(QueueDefinition.named("orders"));
  }

  @Test
  void propertiesAreReadWhateverTheirCase() {
    var option =
        "orders,lockduration=PT30S,MAXDELIVERYCOUNT=5,DefaultMessageTimeToLive=P1DT1H,"
            + "DeadLetteringOnMessageExpiration=true,MaxSizeInMegabytes=1,"
            + "MaxMessageSizeInKilobytes=64,RequiresSession=false,ForwardTo=";

    var settings = read("--queue", option);

    assertThat(settings.definitions())
        .containsExactly(
            new QueueDefinition("orders", 30_000, 5, 90_000_000, true, 64 << 10, 1 << 20));
  }

  @Test
  @Rule({"S-307", "S-421"})
  void statusIdleTimePartitionsAndACommentAreReadForEveryKind() {
    var option =
        "orders,Status=senddisabled,AutoDeleteOnIdle=PT5M,EnablePartitioning=true,UserMetadata=ours";

    var settings =
        read(
            "--queue",
            option,
            "--topic",
            "t,Status=Disabled",
            "--subscription",
            "t/s,Status=Active");

    assertThat(settings.definitions().getFirst())
        .isEqualTo(
            QueueDefinition.named("orders")
                .with()
                .status(EntityStatus.SEND_DISABLED)
                .autoDeleteOnIdleMillis(300_000)
                .partitioned(true)
                .attributes(Map.of("UserMetadata", "ours"))
                .build());
    assertThat(settings.definitions())
        .extracting(QueueDefinition::status)
        .containsExactly(EntityStatus.SEND_DISABLED, EntityStatus.DISABLED, EntityStatus.ACTIVE);
  }

  @ParameterizedTest
  @Rule("S-430")
  @ValueSource(strings = {"Creating", "Deleting", "Restoring", "Renaming", "Unknown"})
  void aStatusThatTheSystemAloneSetsIsRefused(String status) {
    assertThatThrownBy(() -> read("--queue", "q,Status=" + status))
        .hasMessageContaining("queue q, Status: \"" + status + "\" cannot be set");
  }

  @Test
  void aCommentMayHold1024CharactersAndNotMore() {
    assertThat(read("--queue", "q,UserMetadata=" + "x".repeat(1_024)).definitions()).hasSize(1);
    assertThatThrownBy(() -> read("--queue", "q,UserMetadata=" + "x".repeat(1_025)))
        .hasMessageContaining("1025 characters; at most 1024");
  }

  @Test
  void theVendorsLongestTimeSpanMeansForEver() {
    var settings = read("--queue", "q,DefaultMessageTimeToLive=P10675199DT2H48M5.4775807S");

    assertThat(settings.definitions().getFirst().defaultTimeToLiveMillis())
        .isEqualTo(QueueDefinition.FOREVER);
  }

  @Test
  void theEmulatorProfileHasTheEmulatorsDefaults() {
    var settings = read("--queue", "q", "--profile", "emulator");

    assertThat(settings.definitions())
        .containsExactly(
            new QueueDefinition("q", 60_000, 3, 3_600_000, false, 256 << 10, 100 << 20));
  }

  @ParameterizedTest
  @Rule({"S-431", "S-435"})
  @CsvSource({
    "basic, 262144",
    "standard, 262144",
    "premium, 1048576",
    "emulator, 262144",
    "relaxed, 104857600"
  })
  void theProfileSetsHowLargeAMessageMayBe(String profile, long bytes) {
    var settings = read("--queue", "q", "--profile", profile);

    assertThat(settings.definitions().getFirst().maxMessageBytes()).isEqualTo(bytes);
  }

  @Test
  void aThousandQueuesAreReadInTheirOrder() {
    var arguments = new String[2_016];
    for (var i = 0; i < 1_008; i++) {
      arguments[2 * i] = "--queue";
      arguments[2 * i + 1] = "q" + i;
    }

    var settings = read(arguments);

    assertThat(settings.definitions()).hasSize(1_008);
    assertThat(settings.definitions().getLast().path()).isEqualTo("q1007");
  }

  @Test
  void valuesMayFollowAnEqualsSign() {
    var settings = read("--port=0", "--bind=0.0.0.0", "--allow-plaintext", "--data=d");

    assertThat(settings.address().getPort()).isZero();
    assertThat(settings.loopback()).isFalse();
    assertThat(settings.allowPlaintext()).isTrue();
    assertThat(settings.data()).isEqualTo(Path.of("d"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--prot 1 | serve has no option \"--prot\" (did you mean --port?)",
        "stray | serve has no option \"stray\"",
        "--port | --port needs a value",
        "--port x | --port: \"x\" is not a whole number",
        "--port 65536 | --port: 65536 is out of range; from 0 to 65535 is taken",
        "--port -1 | --port: -1 is out of range",
        "--port 5672, | --port: \"\" is not a whole number",
        "--port 5672,5672 | --port: a port is named twice",
        "--host-names a,b/c | --host-names: \"b/c\" is not a host name",
        "--bind no.such.host.invalid | --bind: there is no address \"no.such.host.invalid\"",
        "--profile emulater | did you mean emulator?",
        "--data d --in-memory | a broker in memory has no data folder",
        "--in-memory=maybe | --in-memory: \"maybe\" is neither true nor false",
        "--tls-key k | a TLS key needs a TLS certificate too",
        "--tls-certificate c | a TLS certificate needs a TLS key too",
        "--config nowhere.yaml | the configuration file nowhere.yaml does not exist",
        "--topic t,LockDuration=PT5S | topic t: there is no property \"LockDuration\"",
        "--subscription s | names no topic; it should read TOPIC/NAME",
        "--subscription t/s,MaxSizeInMegabytes=1 | subscription t/s: there is no property",
        "--queue= | the queue name \"\" is empty",
        "--queue /a | begins or ends with a slash",
        "--queue a//b | two in a row",
        "--queue $management | begins with $",
        "--queue a?b | holds a character that is not allowed",
        "--queue q,LockDuration | should read Property=value",
        "--queue q,LockDuraton=PT5S | no property \"LockDuraton\" (did you mean LockDuration?)",
        "--queue q,Xyzzy=1 | queue q: there is no property \"Xyzzy\"",
        "--queue q,LockDuration=30 | \"30\" is not an ISO-8601 duration",
        "--queue q,LockDuration=PT0.5S | takes PT1S to PT5M",
        "--queue q,LockDuration=-PT5S | queue q, LockDuration: \"-PT5S\" is not an ISO-8601"
            + " duration",
        "--queue q,LockDuration=PT3S --profile standard | takes PT5S to PT5M",
        "--queue q,MaxDeliveryCount=0 | from 1 to 2147483647",
        "--queue q,MaxDeliveryCount=many | \"many\" is not a whole number",
        "--queue q,DefaultMessageTimeToLive=PT0.9S | shorter than one second",
        "--queue q,DeadLetteringOnMessageExpiration=yes | \"yes\" is neither true nor false",
        "--queue q,MaxMessageSizeInKilobytes=257 --profile standard | from 1 to 256",
        "--queue q,MaxSizeInMegabytes=0 | 0 is out of range",
        "--queue q,EnableExpress=perhaps | neither true nor false",
        "--queue q,MaxMessageSizeInKilobytes=1023 --profile premium | from 1024 to 102400",
        "--queue q,EnablePartitioning=maybe | \"maybe\" is neither true nor false",
        "--queue q,AutoDeleteOnIdle=PT4M59.999S | from PT5M is taken",
        "--topic t,Status=ReceiveDisabled | there are Active, Disabled, SendDisabled",
        "--subscription t/s,Status=SendDisabled | there are Active, Disabled, ReceiveDisabled",
        "--queue q,DuplicateDetectionHistoryTimeWindow=PT19S | out of range",
        "--queue q,ForwardTo=Q | ForwardTo: an entity cannot forward to itself",
        "--queue q,ForwardTo=a//b | ForwardTo: the queue name",
        "--queue q,ForwardTo=r --queue r,ForwardTo=q | forward in a circle",
        "--cors-origin * | --cors-origin: \"*\" is not an origin such as",
        "--cors-origin https://a.example/page | is not an origin",
        "--cors-origin https://a.example, | --cors-origin: \"\" is not an origin",
        "--wire-trace :5000 | --wire-trace: HOST[:PORT] or all is wanted",
        "--wire-trace 127.0.0.1:0 | --wire-trace: 0 is out of range",
        "--wire-trace 127.0.0.1:web | --wire-trace: \"web\" is not a whole number",
        "--wire-trace no.such.host.invalid | --wire-trace: there is no address",
      })
  void whatCannotBeIsRefusedWithOneSentence(String arguments, String sentence) {
    assertThatThrownBy(() -> read(arguments.strip().split(" ", -1)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(sentence)
        .extracting(Throwable::getMessage)
        .asString()
        .doesNotContain("\n");
  }

  @Test
  @Rule("S-047")
  void aLockMayLastFiveMinutesAndNotLonger() {
    assertThat(read("--queue", "q,LockDuration=PT5M").definitions().getFirst().lockDurationMillis())
        .isEqualTo(300_000);
    assertThatThrownBy(() -> read("--queue", "q,LockDuration=PT5M1S"))
        .hasMessageContaining("PT5M1S is out of range");
  }

  @Test
  @Rule("S-058")
  void aPathMayHold260CharactersAndNotMore() {
    assertThat(read("--queue", "q".repeat(260)).definitions()).hasSize(1);
    assertThatThrownBy(() -> read("--queue", "q".repeat(261)))
        .hasMessageContaining("has 261 characters");
  }

  @Test
  void theTracedClientsAreAllOrThoseOfAnAddressAndPerhapsAPort() {
    assertThat(read().wireTrace()).isNull();
    assertThat(isTraced("all", "10.0.0.1", 7)).isTrue();
    assertThat(isTraced("10.0.0.1", "10.0.0.1", 7)).isTrue();
    assertThat(isTraced("10.0.0.1", "10.0.0.2", 7)).isFalse();
    assertThat(isTraced("10.0.0.1:7", "10.0.0.1", 7)).isTrue();
    assertThat(isTraced("10.0.0.1:7", "10.0.0.1", 8)).isFalse();
    assertThat(isTraced("::1", "::1", 7)).isTrue();
    assertThat(isTraced("[::1]:7", "::1", 8)).isFalse();
  }

  private static boolean isTraced(String wanted, String host, int port) {
    var traced = read("--wire-trace", wanted).wireTrace();
    return traced != null && traced.test(new InetSocketAddress(host, port));
  }

  @Test
  void theHelpNamesEverySetting() {
    var help = ServeOptions.help();

    for (var setting : Setting.values()) {
      assertThat(help).contains("--" + setting.word()).contains(setting.help());
    }
  }

  private static ServerSettings read(String... arguments) {
    return ServeOptions.read(List.of(arguments));
  }
}
