package io.peeklock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a command line is said in one sentence, with the exit code of its kind. */
@Timeout(300)
class CliMainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "send q x --counts 2 | did you mean --count?",
        "send | Missing required parameter: 'QUEUE'",
        "send q x --body y | take one of TEXT, --body and --file",
        "send q --file /nowhere/at/all | the file /nowhere/at/all cannot be read",
        "send q --file / | the file / is a folder",
        "send q x --count 0 | --count must be at least 1",
        "send q x --ttl soon | \"soon\" is not a duration like 500ms, 5s or PT1H",
        "receive q --count 0 | --count must be at least 1",
        "receive q --mode maybe | \"maybe\" is not one of peek-lock, receive-and-delete",
        "peek q --output xml | \"xml\" is not one of table, json, jsonl",
        "peek q --json --output table | say one of the two",
        "receive q --mode receive-and-delete --settle abandon | nothing is left to settle",
        "receive q --wait -5s | is not a duration",
        "receive orders/ | ends in a slash. A shell takes $deadletterqueue for a variable: say",
        "peek orders/ | ends in a slash",
        "send orders/ x | ends in a slash",
        "receive q --dead-letter --transfer-dead-letter | are two queues: say one",
        "peek q --count 0 | --count must be at least 1",
        "send q x --connection Endpoint=sb://h | has no SharedAccessKeyName",
        "dead-letters resubmit q | say which messages: their numbers, --all, or one of",
        "dead-letters delete q 5 --all | say numbers or --all",
        "dead-letters move q --all | Missing required option: '--to=QUEUE'",
        "dead-letters resubmit q five | \"five\" is no sequence number",
        "dead-letters list q --count 0 | --count must be at least 1",
        "move q --to p | say which messages",
        "move q/ --all --to p | ends in a slash",
        "import q --file /nowhere/at/all | there is no file /nowhere/at/all",
        "import q --from-line 0 | --from-line must be at least 1",
        "watch q --count 0 | --count must be at least 1",
        "receive q --session A --any-session | say --session or --any-session",
        "send q x --at tomorrow | \"tomorrow\" is not a time like 2027-01-31T08:00:00Z",
        "send q x --at 2031-01-01T00:00:00Z --delay 1m | say --delay or --at",
        "schedule cancel q | say which messages",
        "defer receive q | say which messages",
        "defer receive q 1 --settle defer | is not one of complete, abandon, dead-letter",
        "sessions show q | Missing required parameter: 'SESSION'",
        "send q x --property price:=dear | --property price:=dear is no number, true, false or null",
        "send q x --property price:=[1] | is no number",
        "send q x --property price:=1,\"a\":2 | is no number",
        "send q x --property price:int=1.5 | \"1.5\" is no value of the AMQP type int",
        "send q x --property price:itn=1 | there is no type itn (did you mean int?)",
        "send q x --property =1 | a property has a name",
        "send q x --property :int=1 | a property has a name",
        "fetch q | no such command: fetch; --help lists them",
        "recieve q | no such command: recieve (did you mean receive?)",
        "serv | no such command: serv (did you mean serve?)",
        "queue lst | no such command: lst (did you mean list?)",
        "receive q --settle compleet | release (did you mean complete?)",
        "completion csh | is not one of bash, zsh, fish (did you mean",
      })
  void whatIsWrongIsSaid(String arguments, String sentence) {
    var code = run(arguments.split(" ", -1));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).startsWith("peeklock: ").contains(sentence).hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "receive q Endpoint=sb://h;SharedAccessKeyName=n;SharedAccessKey=canary",
    "receive q --conection Endpoint=sb://h;SharedAccessKey=canary",
    "receive q --conection=Endpoint=sb://h;SharedAccessKey=canary;x=y",
    "receive q SharedAccessSignature=SharedAccessSignature&sig=canary&se=1",
    "send q x --connection Endpoint=sb://h,SharedAccessKey=canary",
  })
  void aConnectionStringInTheWrongPlaceIsNotToldBackWithItsKey(String arguments) {
    var code = run(arguments.split(" ", -1));

    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).startsWith("peeklock: ").doesNotContain("canary");
  }

  @Test
  void aBrokerThatIsNotThereEndsWithFour() throws Exception {
    int free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    var nobody =
        "Endpoint=sb://127.0.0.1:"
            + free
            + ";SharedAccessKeyName=n;SharedAccessKey=topsecret;UseDevelopmentEmulator=true";

    var code = run("send", "q", "x", "--connection", nobody);

    assertThat(code).isEqualTo(4);
    assertThat(err.toString())
        .startsWith("peeklock: no answer from a broker at 127.0.0.1:" + free)
        .doesNotContain("topsecret")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({"send, --ttl", "receive, --settle", "peek, --from"})
  void eachCommandHasHelp(String command, String option) {
    var code = run(command, "--help");

    assertThat(code).isZero();
    assertThat(out.toString()).contains(option).contains("Ends with 0");
  }

  @ParameterizedTest
  @CsvSource({
    "bash, complete -F _complete_peeklock -o default peeklock",
    "zsh, bashcompinit",
    "fish, complete -c peeklock -n '__peeklock_at dead-letters' -f -a resubmit",
    "fish, complete -c peeklock -n '__peeklock_at' -f -a serve",
    "fish, 'complete -c peeklock -n ''__peeklock_in peek'' -s o -l output -r -f -a ''table json'",
  })
  void eachShellIsToldWhatThereIs(String shell, String line) {
    var code = run("completion", shell);

    assertThat(code).isZero();
    assertThat(out.toString()).contains(line).doesNotContain("\u001b");
  }

  /** The launcher takes only words that it knows, to say what is wrong without a JVM. */
  @Test
  void theLauncherAndTheGuideKnowEachCommand() throws IOException {
    var launcher = Files.readString(Path.of("..", "peeklock"));
    var windows = Files.readString(Path.of("..", "dist", "src", "archive", "peeklock.cmd"));
    var guide = Files.readString(Path.of("..", "docs", "guide", "command-line.md"));

    for (var command : CliMain.commandLine().getSubcommands().keySet()) {
      assertThat(launcher)
          .containsPattern("\n    [a-z |-]*\\b" + command + "\\b[a-z |-]*\\) ;;")
          .containsPattern("\n  ([a-z]+, )*" + command + "[, ]");
      assertThat(windows).containsPattern("in \\([a-z -]*\\b" + command + "\\b[a-z -]*\\)");
      assertThat(guide).containsPattern("\n## .*`(\\./peeklock )?" + command + "\\b");
    }
  }

  private int run(String... arguments) {
    return CliMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
