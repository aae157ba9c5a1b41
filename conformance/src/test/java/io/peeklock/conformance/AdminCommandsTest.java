package io.peeklock.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.LongProof;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./peeklock queue|topic|subscription|rule} against a running broker. */
@ExtendWith(WithBroker.class)
@LongProof
class AdminCommandsTest {
  private String connection = "";

  /** What a command said, and how it ended. */
  private record Said(int code, String out, String err) {}

  @BeforeEach
  void find(SharedBroker broker) {
    connection = broker.process().connectionString();
  }

  @Test
  void aQueueHasItsWholeLife() throws Exception {
    assertThat(run("queue", "create", "cli/q", "lockduration=PT30S", "UserMetadata=a & <b>"))
        .isEqualTo(new Said(0, "queue cli/q made\n", ""));
    assertThat(run("queue", "create", "cli/q").code()).isEqualTo(3);
    assertThat(run("queue", "create", "cli/q").err()).contains("already exists", "TrackingId:");
    assertThat(run("send", "cli/q", "hello").code()).isZero();

    assertThat(run("queue", "list").out())
        .containsPattern("NAME +STATUS +ACTIVE +DEAD-LETTERS +SCHEDULED\n")
        .containsPattern("(?m)^cli/q +Active +1 +0 +0$");
    assertThat(run("queue", "update", "cli/q", "MaxDeliveryCount=3", "UserMetadata="))
        .isEqualTo(new Said(0, "queue cli/q changed\n", ""));
    assertThat(run("queue", "show", "cli/q").out())
        .containsPattern("(?m)^LockDuration +PT30S$")
        .containsPattern("(?m)^MaxDeliveryCount +3$")
        .containsPattern("(?m)^CountDetails.ActiveMessageCount +1$")
        .doesNotContain("UserMetadata");
    assertThat(run("queue", "show", "cli/q", "--json").out())
        .startsWith("{\"Name\":\"cli/q\",\"LockDuration\":\"PT30S\"")
        .contains("\"CountDetails\":{\"ActiveMessageCount\":1");
    assertThat(run("queue", "delete", "cli/q")).isEqualTo(new Said(0, "queue cli/q deleted\n", ""));
    assertThat(run("queue", "show", "cli/q"))
        .isEqualTo(new Said(3, "", "peeklock: there is no queue cli/q\n"));
  }

  @Test
  void aTopicWithSubscriptionAndRulesHasToo() throws Exception {
    run("topic", "create", "cli-t");
    run("subscription", "create", "cli-t/s", "MaxDeliveryCount=3");
    run("rule", "create", "cli-t/s/dear", "--filter", "price > 100", "--action", "SET seen = 1");
    run("rule", "create", "cli-t/s/red", "--correlation", "label=red");
    run("rule", "delete", "cli-t/s/$Default");

    assertThat(run("rule", "list", "cli-t/s").out())
        .isEqualTo(
            """
            NAME  FILTER       ACTION
            dear  price > 100  SET seen = 1
            red   Label=red
            """);
    assertThat(run("rule", "update", "cli-t/s/dear", "--filter", "price > 5").code()).isZero();
    assertThat(run("rule", "show", "cli-t/s/dear").out()).contains("price > 5");
    assertThat(run("rule", "create", "cli-t/s/bad", "--filter", "price >").err())
        .contains("line 1, column 8");
    assertThat(run("subscription", "list", "cli-t").out()).containsPattern("(?m)^s +Active +0");
    assertThat(run("topic", "list").out()).containsPattern("(?m)^cli-t +Active +1 ");
    assertThat(run("subscription", "delete", "cli-t/s").code()).isZero();
    assertThat(run("topic", "delete", "cli-t").code()).isZero();
  }

  @Test
  void aSubscriptionHasOneNameInTwoForms() throws Exception {
    run("topic", "create", "cli-forms");
    run("subscription", "create", "cli-forms/Subscriptions/s");
    run("queue", "create", "cli-forms/q");
    run("send", "cli-forms", "a");
    run("send", "cli-forms/q", "b");

    assertThat(run("subscription", "show", "cli-forms/s").code()).isZero();
    assertThat(run("rule", "show", "cli-forms/Subscriptions/s/Rules/$Default").code()).isZero();
    assertThat(run("receive", "cli-forms/s", "--settle", "dead-letter").out()).isEqualTo("a\n");
    assertThat(run("dead-letters", "resubmit", "cli-forms/s", "--all").out())
        .isEqualTo("1 message resubmitted to cli-forms\n");
    assertThat(run("peek", "cli-forms/Subscriptions/s").out()).endsWith("\ta\n");
    assertThat(run("receive", "cli-forms/q").out()).isEqualTo("b\n");
    assertThat(run("peek", "cli-forms/nobody").err()).contains("cli-forms/nobody");
  }

  @Test
  void aFilterSelectsByANumberThatWasTypedAsOne() throws Exception {
    run("topic", "create", "cli-typed");
    run("subscription", "create", "cli-typed/s");
    run("rule", "create", "cli-typed/s/dear", "--filter", "price > 100");
    run("rule", "delete", "cli-typed/s/$Default");

    run("send", "cli-typed", "text", "--property", "price=120");
    run("send", "cli-typed", "whole", "--property", "price:=120");
    run("send", "cli-typed", "int", "--property", "price:int=120");
    run("send", "cli-typed", "cheap", "--property", "price:=99.5");

    assertThat(run("peek", "cli-typed/Subscriptions/s").out())
        .isEqualTo("1\tactive\t0\twhole\n2\tactive\t0\tint\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "queue create q LockDurations=PT1S",
        "queue create q LockDuration",
        "queue update q",
        "subscription create q",
        "subscription list",
        "rule create a/b",
        "rule create a/b/c --filter x --correlation label=y",
        "rule create a/b/c --correlation colour=y",
      })
  void whatCannotBeIsSaidBeforeTheBrokerIsAsked(String command) throws Exception {
    connection = connection.replaceAll(":\\d+;", ":1;");

    var said = run(command.split(" "));

    assertThat(said.code()).as(said.err()).isEqualTo(2);
    assertThat(said.err()).startsWith("peeklock: ");
  }

  @Test
  void everyCommandHelps() throws Exception {
    for (var noun : List.of("queue", "topic", "subscription", "rule")) {
      var help = run(noun, "--help");
      assertThat(help.code()).isZero();
      assertThat(help.out()).contains("create", "list", "show", "update", "delete", "For example");
      assertThat(run(noun, "create", "--help").out()).contains("--connection");
    }
  }

  private Said run(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(Installation.launcher().toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().put("PEEKLOCK_NO_BUILD", "true");
    builder.environment().put("PEEKLOCK_CONNECTION", connection);
    var process = builder.start();
    process.getOutputStream().close();
    var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), out, err);
  }
}
