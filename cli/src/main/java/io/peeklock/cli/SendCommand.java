package io.peeklock.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends messages and waits until the broker has accepted every one. */
@Command(
    name = "send",
    description = "Send messages to a queue; ends when all are accepted.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Without a text each line of the standard input is one message.",
      "Ends with 0 when all were accepted, 2 for a wrong option, 3 when the broker refused,",
      "4 when it could not be reached."
    })
final class SendCommand implements Callable<Integer> {
  @Mixin private BrokerOption broker = new BrokerOption();

  @Parameters(index = "0", paramLabel = "QUEUE", description = "Where to send.")
  private String queue = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT", description = "What to send.")
  private @Nullable String text;

  @Option(names = "--body", paramLabel = "TEXT", description = "The same as TEXT.")
  private @Nullable String body;

  @Option(names = "--file", paramLabel = "FILE", description = "Send the bytes of a file.")
  private @Nullable Path file;

  @Option(names = "--count", paramLabel = "N", description = "Send it so many times.")
  private int count = 1;

  @Option(
      names = "--property",
      paramLabel = "NAME=VALUE",
      description = {
        "An application property, a text; may be repeated. NAME:=VALUE is a number, true, false",
        "or null as JSON has them, such as price:=100, which a filter compares with numbers;",
        "NAME:TYPE=VALUE has a type of AMQP, such as price:int=100 or at:timestamp=2027-01-31T08:00:00Z."
      })
  private Map<String, String> properties = new LinkedHashMap<>();

  @Option(names = "--message-id", paramLabel = "ID", description = "The message id.")
  private @Nullable String messageId;

  @Option(names = "--subject", paramLabel = "TEXT", description = "The subject.")
  private @Nullable String subject;

  @Option(names = "--correlation-id", paramLabel = "ID", description = "The correlation id.")
  private @Nullable String correlationId;

  @Option(names = "--content-type", paramLabel = "TYPE", description = "The content type.")
  private @Nullable String contentType;

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      converter = Span.class,
      description = "Time to live, such as 10s, 5m or PT1H.")
  private @Nullable Duration timeToLive;

  @Option(names = "--session-id", paramLabel = "ID", description = "The session.")
  private @Nullable String sessionId;

  @Option(
      names = "--delay",
      paramLabel = "DURATION",
      converter = Span.class,
      description = "Schedule it for so much later, such as 10m.")
  private @Nullable Duration delay;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      converter = Moment.class,
      description = "Schedule it for this time, such as 2027-01-31T08:00:00Z.")
  private @Nullable Instant at;

  @Mixin private OutputOption output = new OutputOption();

  private final List<TypedProperty> typed = new ArrayList<>();
  private final Outbox outbox = new Outbox();

  @Override
  public Integer call() {
    var bytes = oneBody();
    QueueParameter.notOpen(queue);
    if (count < 1) {
      throw CliFailure.usage("--count must be at least 1");
    }
    properties.forEach((left, text) -> typed.add(TypedProperty.of(left, text)));
    if (delay != null && at != null) {
      throw CliFailure.usage("say --delay or --at");
    }
    var printer = output.printer();
    try {
      return broker.talk((connection, incoming) -> send(connection, incoming, bytes, printer));
    } catch (CliFailure failed) {
      throw outbox.accepted() == 0 ? failed : failed.after(outbox.accepted());
    }
  }

  private int send(
      Connection connection, IncomingBytes incoming, byte @Nullable [] bytes, Printer printer)
      throws ClientException {
    try (var sender = connection.openSender(queue)) {
      sender.openFuture().get();
      sendAll(sender, incoming, bytes);
    } catch (IOException unreadable) {
      throw CliFailure.usage("the input cannot be read: " + unreadable.getMessage());
    } catch (ExecutionException failed) {
      throw new ClientException("the queue could not be opened", failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    tell(printer);
    return 0;
  }

  private byte @Nullable [] oneBody() {
    var given = (text != null ? 1 : 0) + (body != null ? 1 : 0) + (file != null ? 1 : 0);
    if (given > 1) {
      throw CliFailure.usage("take one of TEXT, --body and --file");
    }
    if (file != null) {
      return bytesOf(file);
    }
    var words = text != null ? text : body;
    return words == null ? null : words.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytesOf(Path file) {
    if (Files.isDirectory(file)) {
      throw CliFailure.usage("the file " + file + " is a folder");
    }
    if (!Files.isReadable(file)) {
      throw CliFailure.usage("the file " + file + " cannot be read");
    }
    try {
      return Files.readAllBytes(file);
    } catch (IOException broken) {
      throw CliFailure.usage("the file " + file + " cannot be read: " + broken.getMessage());
    }
  }

  private void sendAll(Sender sender, IncomingBytes incoming, byte @Nullable [] bytes)
      throws ClientException, IOException {
    if (bytes != null) {
      send(sender, incoming, bytes);
    } else {
      var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        send(sender, incoming, line.getBytes(StandardCharsets.UTF_8));
      }
    }
    outbox.await();
  }

  private void send(Sender sender, IncomingBytes incoming, byte[] bytes) throws ClientException {
    for (var i = 0; i < count; i++) {
      outbox.send(sender, incoming, message(bytes));
    }
  }

  private Message<byte[]> message(byte[] bytes) throws ClientException {
    var message = Message.create(bytes).durable(true);
    if (messageId != null) {
      message.messageId(messageId);
    }
    if (subject != null) {
      message.subject(subject);
    }
    if (correlationId != null) {
      message.correlationId(correlationId);
    }
    if (contentType != null) {
      message.contentType(contentType);
    }
    if (timeToLive != null) {
      message.timeToLive(timeToLive.toMillis());
    }
    if (sessionId != null) {
      message.groupId(sessionId);
    }
    var due = due();
    if (due != null) {
      message.annotation(MessageJson.SCHEDULED, Date.from(due));
    }
    for (var property : typed) {
      message.property(property.name(), property.value());
    }
    return message;
  }

  private @Nullable Instant due() {
    return delay == null ? at : Instant.now().plus(delay);
  }

  private void tell(Printer printer) {
    var sent = outbox.accepted();
    if (printer.isTable()) {
      printer.say(sent + (sent == 1 ? " message" : " messages") + " accepted by " + queue);
    } else {
      printer.only(Map.of("accepted", sent));
    }
    printer.flush();
  }
}
