package io.peeklock.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The commands of the launcher that talk to a running broker. */
@ExtendWith(WithBroker.class)
@LongProof
class CommandLineTest {
  private String connection = "";
  private String queue = "";

  /** What a command said, and how it ended. */
  private record Said(int code, String out, String err) {}

  @BeforeEach
  void find(SharedBroker broker) {
    connection = broker.process().connectionString();
    queue = broker.queue(QueueKind.PLAIN);
  }

  @Test
  void whatIsSentIsPeekedAndReceivedOnce() throws Exception {
    var sent = run("", "send", queue, "hello", "--message-id", "m1", "--property", "colour=red");
    var peeked = run("", "peek", queue);
    var received = run("", "receive", queue, "--json");
    var empty = run("", "receive", queue, "--wait", "100ms");

    assertThat(sent).isEqualTo(new Said(0, "1 message accepted by " + queue + "\n", ""));
    assertThat(peeked).isEqualTo(new Said(0, "1\tactive\t0\thello\n", ""));
    assertThat(received.out())
        .contains("\"sequenceNumber\":1", "\"messageId\":\"m1\"", "\"body\":\"hello\"")
        .contains("\"properties\":{\"colour\":\"red\"}");
    assertThat(empty).isEqualTo(new Said(1, "", ""));
  }

  @Test
  void everyLineOfTheInputIsAMessage() throws Exception {
    var sent = run("a\nb\nc\n", "send", queue);
    var received = run("", "receive", queue, "--count", "10", "--wait", "500ms");

    assertThat(sent.out()).isEqualTo("3 messages accepted by " + queue + "\n");
    assertThat(received).isEqualTo(new Said(0, "a\nb\nc\n", ""));
  }

  @Test
  @Rule("S-029")
  void manyAreReceivedInOrderAndAllAreSettled() throws Exception {
    var many = new StringBuilder();
    for (var i = 0; i < 3_000; i++) {
      many.append(i).append('\n');
    }
    run(many.toString(), "send", queue);

    var received = run("", "receive", queue, "--count", "2999", "--wait", "1s");

    assertThat(received).isEqualTo(new Said(0, many.toString().replace("2999\n", ""), ""));
    assertThat(run("", "peek", queue)).isEqualTo(new Said(0, "3000\tactive\t0\t2999\n", ""));
  }

  @Test
  void manyLargeMessagesArePeekedAnswerByAnswer() throws Exception {
    var line = "x".repeat(60_000);
    run((line + "\n").repeat(25), "send", queue);

    var peeked = run("", "peek", queue, "--count", "25");

    assertThat(peeked.err()).isEmpty();
    assertThat(peeked.out().lines()).hasSize(25).allMatch(each -> each.endsWith(line));
  }

  @Test
  @Rule({"S-024", "S-029"})
  void eachWayToSettleDoesWhatItSays() throws Exception {
    run("deferred\ndead\nabandoned\nreleased\n", "send", queue);

    run("", "receive", queue, "--settle", "defer");
    run("", "receive", queue, "--settle", "dead-letter", "--reason", "broken");
    run("", "receive", queue, "--settle", "abandon");
    run("", "receive", queue, "--settle", "release");
    var peeked = run("", "peek", queue);
    var dead = run("", "receive", queue, "--dead-letter", "--mode", "receive-and-delete", "--json");

    assertThat(peeked.out())
        .isEqualTo("1\tdeferred\t1\tdeferred\n3\tactive\t1\tabandoned\n4\tactive\t0\treleased\n");
    assertThat(dead.out()).contains("\"DeadLetterReason\":\"broken\"", "\"body\":\"dead\"");
  }

  @Test
  void deadLettersAreSentAgainDeletedAndMoved() throws Exception {
    run("a\nb\nc\nd\n", "send", queue, "--property", "n=1", "--ttl", "1h");
    run("", "receive", queue, "--count", "4", "--settle", "dead-letter", "--reason", "broken");

    var listed = run("", "dead-letters", "list", queue);
    var again = run("", "dead-letters", "resubmit", queue, "2");
    var none = run("", "dead-letters", "resubmit", queue, "--reason", "other");
    var moved = run("", "dead-letters", "move", queue, "--to", queue, "--count", "1", "-o", "json");
    var deleted = run("", "dead-letters", "delete", queue, "--all");

    assertThat(listed.out().lines()).hasSize(5).allMatch(line -> !line.contains("null"));
    assertThat(again).isEqualTo(new Said(0, "1 message resubmitted to " + queue + "\n", ""));
    assertThat(none.code()).isEqualTo(1);
    assertThat(moved.out()).contains("\"moved\":1", "\"left\":0");
    assertThat(deleted.out()).isEqualTo("2 messages deleted\n");
    assertThat(run("", "dead-letters", "list", queue).code()).isEqualTo(1);
    var back = run("", "receive", queue, "--count", "2", "--json").out();
    assertThat(back).contains("\"body\":\"b\"", "\"body\":\"a\"", "\"timeToLiveMillis\":3600000");
    assertThat(back).contains("\"properties\":{\"n\":\"1\"}").doesNotContain("DeadLetterReason");
  }

  @Test
  @Rule({"S-238", "S-241"})
  void sessionsAreListedShownAndReceivedFrom() throws Exception {
    run("", "queue", "create", "cli-sessions", "RequiresSession=true");
    run("1\n2\n", "send", "cli-sessions", "--session-id", "A");
    run("3\n", "send", "cli-sessions", "--session-id", "B");

    var listed = run("", "sessions", "list", "cli-sessions");
    var shown = run("", "sessions", "show", "cli-sessions", "A", "--state", "-o", "json");
    var of =
        run("", "receive", "cli-sessions", "--session", "A", "--count", "9", "--wait", "300ms");
    var any = run("", "receive", "cli-sessions", "--any-session");
    var none = run("", "receive", "cli-sessions", "--any-session", "--wait", "300ms");

    assertThat(listed.out()).isEqualTo("SESSION\nA\nB\n");
    assertThat(shown.out()).contains("\"active\":2,", "\"stateType\":\"none\"");
    assertThat(of.out()).isEqualTo("1\n2\n");
    assertThat(any.out()).isEqualTo("3\n");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("no session with messages");
  }

  @Test
  @Rule({"S-153"})
  void whatIsScheduledIsListedAndCancelled() throws Exception {
    run("a\nb\n", "send", queue, "--delay", "1h");

    var listed = run("", "schedule", "list", queue);
    var cancelled = run("", "schedule", "cancel", queue, "1");
    var peeked = run("", "peek", queue);

    assertThat(listed.out().lines()).hasSize(3);
    assertThat(cancelled.out()).isEqualTo("1 message cancelled\n");
    assertThat(peeked.out()).isEqualTo("2\tscheduled\t0\tb\n");
  }

  @Test
  void whatIsDeferredIsListedAndReceived() throws Exception {
    run("a\nb\nc\n", "send", queue);
    run("", "receive", queue, "--count", "2", "--settle", "defer");

    var listed = run("", "defer", "list", queue);
    var dead = run("", "defer", "receive", queue, "1", "--settle", "dead-letter");
    var received = run("", "defer", "receive", queue, "--all");

    assertThat(listed.out().lines()).hasSize(3);
    assertThat(dead.out()).isEqualTo("a\n");
    assertThat(received.out()).isEqualTo("b\n");
    assertThat(run("", "defer", "list", queue).code()).isEqualTo(1);
    assertThat(run("", "peek", queue).out()).isEqualTo("3\tactive\t0\tc\n");
    assertThat(run("", "peek", queue, "--dead-letter").out()).endsWith("\ta\n");
  }

  /** Killed half way, told again: by then each is in one of the two queues. */
  @Test
  void whatIsResubmittedThroughAKillIsThereOnce() throws Exception {
    var many = IntStream.range(0, 40_000).mapToObj(Integer::toString).toList();
    run("", "queue", "create", "cli-kill", "LockDuration=PT1S");
    run(String.join("\n", many) + "\n", "send", "cli-kill");
    run("", "receive", "cli-kill", "--count", "40000", "--settle", "dead-letter");

    var killed = command("dead-letters", "resubmit", "cli-kill", "--all").start();
    var progress = killed.errorReader().readLine();
    killed.destroyForcibly().waitFor();
    var moved = 0;
    while (run("", "dead-letters", "list", "cli-kill", "--count", "1").code() == 0) {
      moved += run("", "dead-letters", "resubmit", "cli-kill", "--all").code() == 0 ? 1 : 0;
    }
    var received = run("", "receive", "cli-kill", "--count", "50000", "--wait", "1s");

    assertThat(progress).startsWith("peeklock: moved ").endsWith(" of 40000");
    assertThat(moved).isPositive();
    assertThat(received.out().lines()).containsExactlyInAnyOrderElementsOf(many);
  }

  @Test
  void whatIsExportedIsImported() throws Exception {
    run("grüß\nb\n", "send", queue, "--property", "n=1", "--subject", "s");

    var lines = run("", "export", queue).out();
    var purged = run("", "purge", queue);
    var imported = run(lines, "import", queue);
    var again = run("", "export", queue).out();

    assertThat(purged.out()).isEqualTo("2 messages deleted\n");
    assertThat(imported.out()).isEqualTo("2 messages accepted by " + queue + "\n");
    var brokers = "\"(sequenceNumber|enqueued[A-Za-z]*)\":[^,]*,";
    assertThat(again.replaceAll(brokers, "")).isEqualTo(lines.replaceAll(brokers, ""));
  }

  @Test
  void whatComesIsWatchedAndStays() throws Exception {
    run("before\n", "send", queue);
    var watch = command("watch", queue, "--count", "1", "--from", "2").start();
    watch.getOutputStream().close();

    run("after\n", "send", queue);

    assertThat(new String(watch.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("2\tactive\t0\tafter\n");
    assertThat(watch.waitFor()).isZero();
    assertThat(run("", "peek", queue).out().lines()).hasSize(2);
  }

  @Test
  @Rule("S-029")
  void whatCouldNotBePrintedIsNotSettled() throws Exception {
    var full = new File("/dev/full");
    assumeThat(full).as("a device that is always full").exists();
    run("one\ntwo\n", "send", queue);

    var receive = command("receive", queue, "--count", "2").redirectOutput(full).start();
    receive.getOutputStream().close();
    var sentence = new String(receive.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(receive.waitFor()).isEqualTo(5);
    assertThat(sentence).startsWith("peeklock: the output is full or closed").hasLineCount(1);
    assertThat(run("", "peek", queue).out().lines()).hasSize(2);
  }

  @Test
  void aRefusalIsTheBrokersOwnSentence() throws Exception {
    for (var command : List.of("send", "receive", "peek")) {
      var said =
          command.equals("send") ? run("", command, "nowhere", "x") : run("", command, "nowhere");

      assertThat(said.code()).isEqualTo(3);
      assertThat(said.err())
          .startsWith("peeklock: The messaging entity")
          .contains("nowhere", "could not be found", "TrackingId:")
          .hasLineCount(1);
    }
  }

  @Test
  void aWrongKeyIsRefusedWithoutShowingIt() throws Exception {
    connection = connection.replace(BrokerProcess.KEY, "not-the-key");

    var said = run("", "send", queue, "x");

    assertThat(said.code()).isEqualTo(3);
    assertThat(said.err()).contains("does not take this key").doesNotContain("not-the-key");
  }

  private Said run(String input, String... arguments) throws IOException, InterruptedException {
    var process = command(arguments).start();
    try (var in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    }
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), out, err);
  }

  private ProcessBuilder command(String... arguments) {
    var command = new ArrayList<>(List.of(Installation.launcher().toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().put("PEEKLOCK_NO_BUILD", "true");
    builder.environment().put("PEEKLOCK_CONNECTION", connection);
    return builder;
  }
}
