package io.peeklock.conformance.generations;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.Authority;
import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Earlier generations of the official Java client tell their stories. */
class GenerationsTest {
  /** Where the build puts what must not be on the class path of today's client. */
  private static final Path EARLIER = Folders.module().resolve("target/earlier-client");

  private static final String EARLIER_VERSION = "7.13.3";
  private static final int PORT_OF_AMQPS = 5671;
  private static final String PASSWORD = "changeit";

  private @TempDir Path folder;

  private static List<String> entities(String... queues) {
    var options = new ArrayList<>(BrokerProcess.queueOptions(List.of(queues)));
    options.addAll(List.of("--topic", "topic", "--subscription", "topic/all"));
    return options;
  }

  @Test
  @Rule({"T-08", "T-59", "S-062", "S-376", "T-63"})
  void theFirstClientTellsAShortStory() throws Exception {
    var said = first();

    assertThat(said.failed()).as(said.said()).isEmpty();
    assertThat(said.told()).hasSize(6);
  }

  @Test
  @LongProof
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  @Rule({"T-08", "T-59", "S-062", "S-376", "T-63"})
  void theFirstClientTellsItAll() throws Exception {
    var said = first("long");

    assertThat(said.failed()).as(said.said()).isEmpty();
    assertThat(said.told()).hasSize(16);
  }

  private ClientProcess first(String... arguments) throws Exception {
    var options =
        entities(
            "settle",
            "peek",
            "sessions,RequiresSession=true",
            "transacted",
            "batches",
            "schedule",
            "renew",
            "taken",
            "brief,LockDuration=PT5S",
            "any,RequiresSession=true",
            "handled-sessions,RequiresSession=true",
            "handled",
            "via",
            "beyond");
    try (var broker = BrokerProcess.start(Folders.fresh("first-client"), options);
        var relay = relay(broker)) {
      // It knows no port but one. The name must be that of the broker.
      var hosts = folder.resolve("hosts");
      Files.writeString(hosts, relay.address() + " localhost\n");
      var flags = new ArrayList<>(trust(broker));
      flags.add("-Djdk.net.hosts.file=" + hosts);
      return ClientProcess.run(List.of(), flags, FirstClient.class, List.of(arguments));
    }
  }

  /**
   * On an address of the loopback's that is likely to be free; not every system has more than one.
   */
  private static Relay relay(BrokerProcess broker) {
    var low = 1 + broker.port() % 250;
    var address = "127.91." + (broker.port() / 250) % 250 + "." + low;
    try {
      return Relay.open(address, PORT_OF_AMQPS, broker.port());
    } catch (IOException refused) {
      throw NotRun.because("the first client's port cannot be listened at, " + address);
    }
  }

  /** Flags of a JVM that trusts the broker: these clients know no other way, and no plain AMQP. */
  private List<String> trust(BrokerProcess broker) throws Exception {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (var authority = Files.newInputStream(Authority.of(broker))) {
      store.setCertificateEntry(
          "broker", CertificateFactory.getInstance("X.509").generateCertificate(authority));
    }
    var file = folder.resolve("trust.p12");
    try (var out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
    return List.of(
        "-Djavax.net.ssl.trustStore=" + file,
        "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
        "-Djavax.net.ssl.trustStoreType=PKCS12");
  }

  @Test
  @Rule({"T-08", "S-474", "S-376", "S-392"})
  void anEarlierClientCallsManagementFirst() throws Exception {
    var options = entities("settle", "peek", "sessions,RequiresSession=true", "orders", "bills");
    // It makes a buffer of the largest message that is allowed for every message that it sends.
    options.addAll(List.of("--profile", "standard"));
    try (var broker = BrokerProcess.start(Folders.fresh("earlier-client"), options);
        var jars = Files.list(EARLIER)) {
      var said =
          ClientProcess.run(
              sorted(jars),
              trust(broker),
              EarlierClient.class,
              List.of("https://localhost:" + broker.port(), EARLIER_VERSION));

      assertThat(said.failed()).as(said.said()).isEmpty();
      assertThat(said.told()).hasSize(6);
    }
  }

  private static List<Path> sorted(Stream<Path> jars) {
    return jars.sorted().toList();
  }
}
