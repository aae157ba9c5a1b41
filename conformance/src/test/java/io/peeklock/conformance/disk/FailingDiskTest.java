package io.peeklock.conformance.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.conformance.BrokerProcess;
import io.peeklock.conformance.Folders;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A write or sync of the real program fails once. It must end with 3 and say why, and the next
 * start must have all that was accepted. {@code -Ddisk.failures=200} for the long form.
 */
@Isolated
@LongProof
class FailingDiskTest {
  private static final List<String> ORDERS = List.of("--queue", "orders");
  private static final int ROUNDS = 2_000;

  /** What the start itself needs: the segment's head, the queue, the watermark. */
  private static final int SYNCS_OF_A_START = 4;

  private final Path data = Folders.fresh("failing");
  private final Deque<BrokerProcess> started = new ArrayDeque<>();
  private final Deque<Tracer> tracers = new ArrayDeque<>();

  @BeforeEach
  void canTamper() {
    Tracer.check(data);
  }

  @AfterEach
  void away() throws IOException {
    started.forEach(BrokerProcess::close);
    Files.deleteIfExists(data); // where nothing was started
    tracers.forEach(Tracer::remove);
  }

  private void start(Tracer with) {
    tracers.add(with);
    started.add(BrokerProcess.under(with.command(), data, ORDERS));
  }

  private BrokerProcess broker() {
    return started.getLast();
  }

  static IntStream syncs() {
    var most = Integer.getInteger("disk.failures", 0);
    return most > 0
        ? IntStream.rangeClosed(SYNCS_OF_A_START + 1, most)
        : IntStream.of(SYNCS_OF_A_START + 3, 40);
  }

  @ParameterizedTest(name = "sync {0}")
  @MethodSource("syncs")
  @Rule({"I-10", "I-01", "I-05"})
  void aFailedSyncEndsItWithThree(int when) throws IOException {
    start(new Tracer("fdatasync", "EIO", when));

    endsWithThree(new Ledger("orders", 200), "synced: Input/output error");

    neverTriedAgain();
  }

  @Test
  @Rule({"I-10", "I-01", "I-05"})
  void noSpaceAtAnAppendEndsItWithThree() throws IOException {
    var log = data.resolve("0000000000000000001.log");
    start(new Tracer("write,writev,pwrite64", "ENOSPC", 25, log));

    endsWithThree(new Ledger("orders", 200), "written: No space left on device");

    neverTriedAgain();
  }

  @Test
  @Rule({"I-10", "I-01", "I-05"})
  void aFailedSyncOfAFolderEndsItWithThree() throws IOException {
    start(new Tracer("fsync", "EIO", 4, data.resolve("large")));

    endsWithThree(new Ledger("orders", 1_200_000), "large cannot be synced: Input/output error");
  }

  @Test
  @Rule("I-10")
  void aFailedSyncAtTheStartIsSaidAndIsNoStart() throws IOException {
    start(new Tracer("fdatasync", "EIO", 2));

    assertThat(broker().awaitExit()).isEqualTo(1);
    assertThat(sentences()).singleElement().asString().contains("cannot be", "Input/output error");

    broker().restart();
    var ledger = new Ledger("orders", 200);
    ledger.work(broker().port(), 5);
    assertThat(ledger.accepted()).isEqualTo(15);
    ledger.check(broker().port());
  }

  private void endsWithThree(Ledger ledger, String why) throws IOException {
    broker().awaitReady();
    ledger.work(broker().port(), ROUNDS);
    assertThat(broker().awaitExit()).isEqualTo(3);
    assertThat(ledger.accepted()).as("a run that did nothing proves nothing").isPositive();
    assertThat(sentences())
        .singleElement()
        .asString()
        .startsWith("peeklock: the broker stopped, and nothing was accepted since: " + data)
        .contains(why);
    assertThat(broker().output().text()).doesNotContain("\tat ");
    assertThat(tracers.getLast().calls())
        .filteredOn(call -> call.contains("INJECTED"))
        .isNotEmpty();

    broker().restart();
    ledger.check(broker().port());
  }

  private List<String> sentences() {
    broker().output().await(0, Pattern.compile("^peeklock: "), Duration.ofSeconds(30));
    return broker().output().text().lines().filter(line -> line.startsWith("peeklock: ")).toList();
  }

  /** The thread whose call failed makes no other such call. */
  private void neverTriedAgain() {
    var calls = tracers.getLast().calls();
    var failed = calls.stream().filter(call -> call.contains("INJECTED")).findFirst().orElseThrow();
    var thread = failed.substring(0, failed.indexOf(' '));
    var after = calls.subList(calls.indexOf(failed) + 1, calls.size());
    assertThat(after).noneMatch(call -> call.startsWith(thread + " "));
  }

  @Test
  void aFolderThatCannotBeHadIsSaid() throws IOException {
    Files.createFile(data.resolve("large"));
    started.add(BrokerProcess.refused(data, 0, ORDERS));

    assertThat(broker().awaitExit()).isEqualTo(1);
    assertThat(sentences()).singleElement().asString().contains(data.toString());
  }
}
