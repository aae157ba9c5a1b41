package io.peeklock.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends what export wrote. */
@Command(
    name = "import",
    description = "Send messages from JSON lines, as export writes them.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without --file the standard input is read. Bodies, properties and their types are as they",
      "were; numbers, counts and times of the broker are new. For example:",
      "  peeklock import orders-2 --file orders.jsonl"
    })
final class ImportCommand implements Callable<Integer> {
  @Mixin private BrokerOption broker = new BrokerOption();

  @Parameters(index = "0", paramLabel = "QUEUE", description = "The queue or topic to send to.")
  private String queue = "";

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "The file (default: the standard input).")
  private @Nullable Path file;

  @Option(names = "--new-ids", description = "New message ids, not those in the file.")
  private boolean newIds;

  @Option(
      names = "--from-line",
      paramLabel = "N",
      description = "Begin there, after an import that ended half way (default: 1).")
  private long fromLine = 1;

  @Mixin private OutputOption output = new OutputOption();

  private final Outbox outbox = new Outbox();
  private long line;

  @Override
  public Integer call() {
    QueueParameter.notOpen(queue);
    if (fromLine < 1) {
      throw CliFailure.usage("--from-line must be at least 1");
    }
    var printer = output.printer();
    try (var lines = open()) {
      broker.talk(
          (connection, incoming) -> {
            try (var sender = connection.openSender(queue)) {
              Management.opened(sender.openFuture());
              sendAll(sender, incoming, lines);
            }
            return 0;
          });
    } catch (IOException unreadable) {
      throw unreadable(unreadable);
    } catch (CliFailure failed) {
      throw outbox.accepted() == 0
          ? failed
          : failed.afterLines(outbox.accepted(), fromLine + outbox.accepted());
    }
    var sent = outbox.accepted();
    if (printer.isTable()) {
      printer.say(MoveOption.messages(sent) + " accepted by " + queue);
    } else {
      printer.only(Map.of("accepted", sent));
    }
    printer.flush();
    return sent == 0 ? CliFailure.NOTHING : 0;
  }

  private BufferedReader open() throws IOException {
    return file == null
        ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
        : Files.newBufferedReader(file);
  }

  private CliFailure unreadable(IOException why) {
    return CliFailure.usage(
        why instanceof NoSuchFileException
            ? "there is no file " + file
            : "the input cannot be read: " + why.getMessage());
  }

  private void sendAll(Sender sender, IncomingBytes incoming, BufferedReader lines)
      throws ClientException {
    try {
      for (var text = lines.readLine(); text != null; text = lines.readLine()) {
        line++;
        if (line >= fromLine) {
          outbox.send(sender, incoming, message(text));
        }
      }
    } catch (IOException unreadable) {
      outbox.await();
      throw unreadable(unreadable);
    } catch (CliFailure wrong) {
      outbox.await(); // so that what is said of those before is so
      throw wrong;
    }
    outbox.await();
  }

  private AdvancedMessage<?> message(String text) throws ClientException {
    try {
      var message = MessageReader.message(JsonReader.object(text));
      if (newIds) {
        message.messageId(UUID.randomUUID().toString());
      }
      return message;
    } catch (IllegalArgumentException | CliFailure wrong) {
      throw CliFailure.usage("line " + line + ": " + wrong.getMessage());
    }
  }
}
