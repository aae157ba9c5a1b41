package io.peeklock.http.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.peeklock.http.admin.AdminFixture.Answer;
import io.peeklock.http.admin.atom.XmlNode;
import io.peeklock.proof.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of queues, as every client asks for it. */
class QueuesTest {
  private static final String QUEUE = "QueueDescription";
  private final AdminFixture admin = new AdminFixture();

  @Test
  @Rule({"S-063", "S-062"})
  void aQueueIsMadeWithTheDefaultsAndIsThereAtOnce() {
    var made = admin.create("/orders?api-version=2021-05", QUEUE, "");

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.head()).contains("Content-Type: application/atom+xml;type=entry;charset=utf-8");
    assertThat(admin.shard.catalogue().queue("ORDERS")).isNotNull();
    var read = admin.get("/ORDERS?enrich=true&api-version=2021-05");
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.of("CreatedAt")).isEqualTo(made.of("CreatedAt"));
    assertThat(read.xml().children().stream().map(XmlNode::name))
        .containsExactly("id", "title", "published", "updated", "author", "link", "content");
    assertThat(List.of(String.valueOf(read.of("LockDuration")), String.valueOf(read.of("Status"))))
        .containsExactly("PT1M", "Active");
    assertThat(read.of("DefaultMessageTimeToLive")).isEqualTo("P10675199DT2H48M5.4775807S");
    assertThat(read.of("AutoDeleteOnIdle")).isEqualTo("P10675199DT2H48M5.4775807S");
    assertThat(read.of("DuplicateDetectionHistoryTimeWindow")).isEqualTo("PT10M");
    assertThat(read.of("MaxDeliveryCount")).isEqualTo("10");
    assertThat(read.of("EnableBatchedOperations")).isEqualTo("true");
    assertThat(read.of("RequiresSession")).isEqualTo("false");
    assertThat(read.of("DeadLetteringOnMessageExpiration")).isEqualTo("false");
    assertThat(read.of("AccessedAt")).isEqualTo("0001-01-01T00:00:00Z");
  }

  /** Every element of the dossier, in its order, so that no client misses one. */
  @Test
  void everyElementIsThereInTheOrderOfTheService() {
    admin.create("/q", QUEUE, "");
    var all =
        ("LockDuration MaxSizeInMegabytes RequiresDuplicateDetection RequiresSession"
            + " DefaultMessageTimeToLive DeadLetteringOnMessageExpiration"
            + " DuplicateDetectionHistoryTimeWindow MaxDeliveryCount EnableBatchedOperations"
            + " SizeInBytes MessageCount IsAnonymousAccessible AuthorizationRules Status"
            + " ForwardTo CreatedAt UpdatedAt AccessedAt UserMetadata SupportOrdering"
            + " CountDetails AutoDeleteOnIdle EnablePartitioning EntityAvailabilityStatus"
            + " ForwardDeadLetteredMessagesTo EnableExpress MaxMessageSizeInKilobytes");

    admin.create(
        "/r",
        QUEUE,
        "<ForwardDeadLetteredMessagesTo>q</ForwardDeadLetteredMessagesTo>"
            + "<UserMetadata>mine</UserMetadata><ForwardTo>sb://localhost/q</ForwardTo>");
    var made = admin.get("/r");

    assertThat(made.description().children().stream().map(XmlNode::name))
        .containsExactly(all.split(" "));
    assertThat(made.of("ForwardTo")).isEqualTo("sb://localhost/q");
    assertThat(made.body())
        .contains(
            "<CountDetails"
                + " xmlns:d2p1=\"http://schemas.microsoft.com/netservices/2011/06/servicebus\">"
                + "<d2p1:ActiveMessageCount>0</d2p1:ActiveMessageCount>");
  }

  @Test
  @Rule("S-061")
  void aSecondOneOfTheNameIsAConflictEvenIfItIsTheSame() {
    admin.create("/orders", QUEUE, "");

    for (var kind : List.of(QUEUE, "TopicDescription")) {
      var again = admin.create("/Orders", kind, "");
      assertThat(again.status()).isEqualTo(409);
      assertThat(again.body())
          .startsWith("<Error><Code>409</Code><Detail>SubCode=40900. Conflict")
          .contains("TrackingId:", "SystemTracker:localhost:Orders", "Timestamp:20");
    }
  }

  @Test
  @Rule("S-062")
  void whatIsMissingIsAnEmptyFeedToReadersAndAnErrorToOthers() {
    var read = admin.get("/nothing");
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.xml().children().stream().map(XmlNode::name))
        .containsExactly("title", "subtitle", "id", "updated", "generator");
    assertThat(read.body()).contains(">Publicly Listed Services</title>");

    for (var answer : List.of(admin.update("/nothing", QUEUE, ""), admin.delete("/nothing"))) {
      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.body()).contains("<Code>404</Code><Detail>SubCode=40400. ");
    }
  }

  @Test
  void anUpdateReplacesAllThatIsNotFixed() {
    admin.create(
        "/q",
        QUEUE,
        "<RequiresSession>true</RequiresSession><LockDuration>PT30S</LockDuration>"
            + "<UserMetadata>a</UserMetadata><MaxDeliveryCount>3</MaxDeliveryCount>"
            + "<RequiresDuplicateDetection>true</RequiresDuplicateDetection>"
            + "<EnablePartitioning>true</EnablePartitioning>");
    admin.clock.advance(Duration.ofMinutes(5));

    var changed = admin.update("/q", QUEUE, "<MaxDeliveryCount>7</MaxDeliveryCount>");

    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.of("MaxDeliveryCount")).isEqualTo("7");
    assertThat(changed.of("LockDuration")).isEqualTo("PT1M");
    assertThat(changed.of("UserMetadata")).isNull();
    assertThat(changed.of("RequiresSession")).isEqualTo("true");
    assertThat(changed.of("RequiresDuplicateDetection")).isEqualTo("true");
    assertThat(changed.of("EnablePartitioning")).isEqualTo("true");
    assertThat(changed.of("UpdatedAt")).isNotEqualTo(changed.of("CreatedAt"));
  }

  @ParameterizedTest
  @Rule("S-067")
  @CsvSource({
    "RequiresSession, RequiresSession",
    "RequiresDuplicateDetection, RequiresDuplicateDetection",
    "EnablePartitioning, Partitioning"
  })
  void whatIsFixedIsNotChanged(String element, String word) {
    admin.create("/q", QUEUE, "");

    var refused = admin.update("/q", QUEUE, "<" + element + ">true</" + element + ">");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("SubCode=40000. ", word);
    assertThat(admin.update("/q", QUEUE, "<" + element + ">false</" + element + ">").status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @Rule({"S-064", "S-065", "S-066", "S-047", "S-268"})
  @CsvSource({
    "LockDuration, PT5S, PT4S",
    "LockDuration, PT5M, PT5M1S",
    "MaxDeliveryCount, 1, 0",
    "MaxDeliveryCount, 2147483647, 2147483648",
    "DefaultMessageTimeToLive, PT1S, PT0.9S",
    "DuplicateDetectionHistoryTimeWindow, PT20S, PT19S",
    "DuplicateDetectionHistoryTimeWindow, P7D, P8D",
    "AutoDeleteOnIdle, PT5M, PT4M59S",
    "MaxSizeInMegabytes, 5120, 6144",
    "MaxSizeInMegabytes, 2048, 2000",
    "MaxMessageSizeInKilobytes, 256, 257",
    "Status, SendDisabled, Deleting",
    "EnableBatchedOperations, false, maybe",
    "MaxDeliveryCount, 5, five",
    "LockDuration, PT30S, soon",
  })
  void aValueOutOfRangeIsRefusedAndItsNeighbourTaken(String element, String good, String bad) {
    var standard = new AdminFixture(AdminFixture.standard());

    var refused = standard.create("/q", QUEUE, "<" + element + ">" + bad + "</" + element + ">");
    var taken = standard.create("/q", QUEUE, "<" + element + ">" + good + "</" + element + ">");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body())
        .contains("SubCode=40000. ", "Parameter name: " + element, "Actual value was " + bad);
    assertThat(taken.status()).isEqualTo(201);
    assertThat(taken.of(element)).isEqualTo(good);
  }

  /** What Java writes for "for ever", and what Python does. */
  @ParameterizedTest
  @ValueSource(strings = {"P10675199DT2H48M5.477S", "P10675199DT2H48M5.477539S"})
  void everyClientsWayToSayForEverIsUnderstood(String forEver) {
    var made =
        admin.create(
            "/q", QUEUE, "<DefaultMessageTimeToLive>" + forEver + "</DefaultMessageTimeToLive>");

    assertThat(made.of("DefaultMessageTimeToLive")).isEqualTo("P10675199DT2H48M5.4775807S");
  }

  @Test
  void theWindowIsShownAgainEvenWhereNothingIsRemembered() {
    var made =
        admin.create(
            "/q",
            QUEUE,
            "<DuplicateDetectionHistoryTimeWindow>PT1M</DuplicateDetectionHistoryTimeWindow>");

    assertThat(made.of("DuplicateDetectionHistoryTimeWindow")).isEqualTo("PT1M");
    assertThat(made.of("RequiresDuplicateDetection")).isEqualTo("false");
  }

  @Test
  void listsComeInPagesByNameWithALinkToTheNext() {
    IntStream.range(0, 105)
        .forEach(i -> admin.create(String.format(Locale.ROOT, "/q%03d", 104 - i), QUEUE, ""));
    admin.create("/topic", "TopicDescription", "");

    var first = admin.get("/$Resources/queues?%24skip=0&$top=100&api-version=2021-05");
    var second = admin.get("/$resources/Queues?$skip=100&$top=100");
    var beyond = admin.get("/$Resources/Queues?$skip=200");

    assertThat(first.titles()).hasSize(100).startsWith("q000", "q001").endsWith("q099");
    assertThat(first.all("link")).hasSize(2);
    assertThat(first.body())
        .contains(
            "<link rel=\"next\""
                + " href=\"https://localhost:5300/$Resources/Queues?$skip=100&amp;$top=100"
                + "&amp;api-version=2021-05\">");
    assertThat(second.titles()).containsExactly("q100", "q101", "q102", "q103", "q104");
    assertThat(second.all("link")).hasSize(1);
    assertThat(beyond.status()).isEqualTo(200);
    assertThat(beyond.titles()).isEmpty();
    assertThat(admin.get("/$Resources/queues?$top=-1").status()).isEqualTo(400);
    assertThat(admin.get("/$Resources/queues?$top=0").status())
        .as("it would page for ever")
        .isEqualTo(400);
    assertThat(admin.get("/$Resources/queues?$skip=x").status()).isEqualTo(400);
  }

  @Test
  void aLongPageEndsEarlyAndLinksToTheNextAndNeverWithinTheHundredThatClientsAskFor() {
    var name = "n".repeat(240);
    IntStream.range(0, 500)
        .forEach(i -> admin.create(String.format(Locale.ROOT, "/q%03d%s", i, name), QUEUE, ""));

    var first = admin.get("/$Resources/queues?$skip=0&$top=1000");
    var count = entries(first.body());
    var second = admin.get("/$Resources/queues?$skip=" + count + "&$top=1000");
    var sure = admin.get("/$Resources/queues?$skip=0&$top=100");

    assertThat(count).isBetween(101, 499);
    assertThat(first.body().length()).isBetween(1_000_000, 1_100_000);
    assertThat(first.body()).contains("rel=\"next\"", "?$skip=" + count + "&amp;$top=1000");
    assertThat(entries(second.body())).isEqualTo(500 - count);
    assertThat(second.body()).contains(String.format(Locale.ROOT, ">q%03d%s<", count, name));
    assertThat(second.body()).doesNotContain("rel=\"next\"");
    assertThat(sure.titles()).hasSize(100);
  }

  /** What 800 of them held without it stopped the broker for a minute. */
  @Test
  void aListThatIsNotReadIsCountedBeforeAnyOfItIsMade() {
    IntStream.range(0, 60)
        .forEach(i -> admin.create(String.format(Locale.ROOT, "/q%03d", i), QUEUE, ""));
    var shut = new ArrayList<EmbeddedChannel>();
    admin.counted = 0;
    for (var i = 0; i < 20; i++) {
      shut.add(admin.unread("/$Resources/queues?$top=1000"));
    }

    assertThat(admin.answersTaken()).isEqualTo(AdminFixture.ANSWERS_BYTES);
    assertThat(admin.counted).as("entities of lists that nobody takes").isZero();
    var refused = admin.get("/$Resources/queues?$top=1000");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.head()).contains("Retry-After: 1");
    assertThat(admin.get("/$Resources/queues?$top=3").titles()).hasSize(3);
    assertThat(admin.get("/q001").status()).isEqualTo(200);

    for (var each : shut) {
      var unused = each.close();
    }

    assertThat(admin.answersTaken()).isZero();
    assertThat(admin.get("/$Resources/queues?$top=1000").titles()).hasSize(60);
  }

  private static int entries(String feed) {
    return feed.split("<entry ", -1).length - 1;
  }

  @Test
  @Rule("S-071")
  void whatIsDeletedIsGoneAtOnceAndItsNameIsFree() {
    admin.create("/q", QUEUE, "");

    var gone = admin.delete("/q");

    assertThat(gone.status()).isEqualTo(200);
    assertThat(gone.head()).containsIgnoringCase("content-length: 0");
    assertThat(admin.shard.catalogue().queue("q")).isNull();
    assertThat(admin.create("/q", QUEUE, "").status()).isEqualTo(201);
  }

  @ParameterizedTest
  @Rule({"S-058", "S-524"})
  @CsvSource({
    "/a~b, a~b",
    "/a%2Fb/c.d-e_f, a/b/c.d-e_f",
    "/a%5Cb, a/b",
    "/MiXed, mixed",
  })
  void namesAreWhatTheCloudTakes(String path, String name) {
    assertThat(admin.create(path, QUEUE, "").titles()).isEmpty();
    assertThat(admin.get("/$Resources/Queues").titles()).containsExactly(name);
  }

  @ParameterizedTest
  @Rule("S-058")
  @ValueSource(
      strings = {"/a@b", "/a%3Fb", "/a%23b", "/a*b", "/a%20b", "/$x", "/a//b", "/a%252Fb%3F"})
  void otherNamesAreRefused(String path) {
    assertThat(admin.create(path, QUEUE, "").status()).isEqualTo(400);
    assertThat(admin.get("/$Resources/Queues").titles()).isEmpty();
  }

  @Test
  @Rule("S-058")
  void aPathHasAtMost260Characters() {
    assertThat(admin.create("/" + "a".repeat(261), QUEUE, "").status()).isEqualTo(400);
    assertThat(admin.create("/" + "a".repeat(260), QUEUE, "").status()).isEqualTo(201);
  }

  @Test
  void theNamespaceSaysWhatItIs() {
    Answer info = admin.get("/$namespaceinfo?api-version=2021-05");

    assertThat(info.description().children().stream().map(XmlNode::name))
        .containsExactly(
            "CreatedTime",
            "MessagingSKU",
            "MessagingUnits",
            "ModifiedTime",
            "Name",
            "NamespaceType");
    assertThat(info.of("MessagingSKU")).isEqualTo("Premium");
    assertThat(info.of("NamespaceType")).isEqualTo("Messaging");
  }

  @Test
  @Rule({"S-286", "S-288"})
  void aForwardNeedsItsDestinationAndMayHaveSessions() {
    admin.create("/q", QUEUE, "");
    var nowhere = admin.create("/r", QUEUE, "<ForwardTo>https://localhost/none</ForwardTo>");
    var sessions =
        admin.create(
            "/s", QUEUE, "<RequiresSession>true</RequiresSession><ForwardTo>q</ForwardTo>");
    var itself = admin.create("/r", QUEUE, "<ForwardTo>r</ForwardTo>");

    assertThat(nowhere.status()).isEqualTo(400);
    assertThat(nowhere.body()).contains("SubCode=40400. ");
    assertThat(sessions.status()).isEqualTo(201);
    assertThat(itself.status()).isEqualTo(400);
    assertThat(admin.get("/$Resources/Queues").titles()).containsExactly("q", "s");
  }
}
