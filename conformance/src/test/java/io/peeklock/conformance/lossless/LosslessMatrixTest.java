package io.peeklock.conformance.lossless;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.NotRun;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a client sends, every other receives, on every way. {@code -Dmessages.seed=…} for other
 * messages, {@code -Dmessages.count=…} for more of them, {@code -Dclients=java,go} for some
 * clients.
 */
class LosslessMatrixTest {
  private static final int FEW = 100;
  private static final int MANY = 10_000;
  private static final int MOST_EACH = 40;

  private final List<Member> members = new ArrayList<>();

  @TempDir private Path folder;

  @Test
  @Rule({"S-072", "S-076", "S-079", "S-077"})
  void clientsOfTheJvmReceiveWhatEachOtherSends() throws IOException {
    run(List.of(Client.RAW, Client.JAVA), FEW, false);
  }

  @Test
  @LongProof
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  @Rule({"S-072", "S-076", "S-079", "S-077", "S-084"})
  void everyClientReceivesWhatEveryOtherSends() throws IOException {
    run(wanted(), MANY, false);
  }

  @Test
  @LongProof
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  @Rule({"S-001", "S-072", "S-076", "I-01", "I-04"})
  void soItDoesAfterAKillAndACompaction() throws IOException {
    run(wanted(), MANY, true);
  }

  private static List<Client> wanted() {
    var names =
        List.of(System.getProperty("clients", "raw,java,javascript,python,go").split(",", -1));
    return Arrays.stream(Client.values()).filter(each -> names.contains(each.language())).toList();
  }

  private void run(List<Client> clients, int usual, boolean onDisk) throws IOException {
    clients.forEach(LosslessMatrixTest::isThere);
    var config = Files.writeString(folder.resolve("entities.yaml"), Matrix.entities());
    var options = new ArrayList<>(List.of("--config", config.toString()));
    options.addAll(
        onDisk
            ? List.of("--segment-megabytes", "1", "--checkpoint-megabytes", "1")
            : List.of("--in-memory"));
    var count = Integer.getInteger("messages.count", usual);
    try (var broker = BrokerProcess.start(Folders.fresh("lossless-matrix"), options)) {
      for (var client : clients) {
        members.add(member(client, broker));
      }
      var seed = Long.getLong("messages.seed", 20261128);
      var matrix = new Matrix(members, seed);
      var cells = clients.size() * clients.size();
      var troubles = onDisk ? new DiskTroubles(broker).all() : List.<Matrix.Trouble>of();
      while (matrix.messages() < count) {
        var left = (count - matrix.messages() + cells - 1) / cells;
        matrix.round(Math.min(MOST_EACH, left), troubles);
        assertThat(matrix.differences()).as("seed %s", seed).isEmpty();
      }
    } finally {
      for (var member : members) {
        member.close();
      }
    }
  }

  private static void isThere(Client client) {
    var tool =
        switch (client) {
          case RAW, JAVA -> Optional.<String>empty();
          case JAVASCRIPT -> Optional.of("npm");
          case PYTHON -> Optional.of("python3");
          case GO -> Optional.of("go");
        };
    tool.filter(name -> !isOnPath(name))
        .ifPresent(
            name -> {
              throw NotRun.because("no " + name + " on this machine");
            });
  }

  private static boolean isOnPath(String tool) {
    var path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(":", -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, tool)));
  }

  private static Member member(Client client, BrokerProcess broker) throws IOException {
    return switch (client) {
      case RAW -> new RawMember(broker.port());
      case JAVA -> new JavaMember(broker.connectionString());
      default -> ScriptMember.start(client, broker);
    };
  }
}
