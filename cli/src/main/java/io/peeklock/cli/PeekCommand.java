package io.peeklock.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.impl.ClientMessageSupport;
import org.apache.qpid.protonj2.types.Binary;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks at messages without taking them, over the queue's management node. */
@Command(
    name = "peek",
    description = "Look at messages of a queue without taking or locking them.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Prints sequence number, state, delivery count and body, parted by tabs.",
      "Ends with 0, or 1 when there is nothing, 2 for a wrong option, 3 when the broker refused,",
      "4 when it could not be reached."
    })
final class PeekCommand implements Callable<Integer> {
  private static final int MOST_AT_ONCE = 250;
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final long PATIENCE_SECONDS = 10;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private BrokerOption broker = new BrokerOption();

  @Mixin private ReadOption source = new ReadOption();

  @Option(
      names = "--from",
      paramLabel = "N",
      description = "Sequence number to begin at (default: the first).")
  private long from = 1;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "How many to show at most (default: ${DEFAULT-VALUE}).")
  private int count = 10;

  @Option(names = "--json", description = "Print one JSON object a line, with all that is known.")
  private boolean json;

  @Override
  public Integer call() {
    if (count < 1) {
      throw CliFailure.usage("--count must be at least 1");
    }
    var node = source.address() + "/$management";
    return broker.talk(
        (connection, incoming) -> {
          try {
            return peekAll(connection, node, incoming) == 0 ? CliFailure.NOTHING : 0;
          } catch (ExecutionException failed) {
            throw new ClientException("the queue could not be opened", failed.getCause());
          } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return CliFailure.UNREACHABLE;
          }
        });
  }

  private int peekAll(Connection connection, String node, IncomingBytes incoming)
      throws ClientException, ExecutionException, InterruptedException {
    try (var replies = connection.openReceiver(node);
        var requests = connection.openSender(node)) {
      replies.openFuture().get();
      requests.openFuture().get();
      var shown = 0;
      var next = from;
      while (shown < count) {
        incoming.taken();
        var messages = peek(requests, replies, next, Math.min(MOST_AT_ONCE, count - shown));
        if (messages.isEmpty()) {
          return shown;
        }
        for (var message : messages) {
          print(json ? MessageText.json(message) : Printed.body(MessageText.line(message)));
          next = MessageText.sequenceNumber(message) + 1;
          shown++;
        }
      }
      return shown;
    }
  }

  private static List<Message<?>> peek(Sender requests, Receiver replies, long first, int most)
      throws ClientException {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("from-sequence-number", first);
    body.put("message-count", most);
    var request = Message.create(body).messageId("peek-" + first).replyTo("peek");
    request.property("operation", "com.microsoft:peek-message");
    requests.send(request);
    var delivery = replies.receive(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (delivery == null) {
      throw CliFailure.unreachable("the broker did not answer in " + PATIENCE_SECONDS + " s");
    }
    var reply = whole(delivery);
    var status = reply.property("statusCode") instanceof Integer code ? code : 0;
    return switch (status) {
      case NO_CONTENT -> List.of();
      case OK -> messages(reply.body());
      default ->
          throw CliFailure.refused(
              reply.property("statusDescription") + " (" + reply.property("errorCondition") + ")");
    };
  }

  /** The client's own decoder fails on a message that came in many frames: this is in one piece. */
  private static Message<?> whole(Delivery delivery) throws ClientException {
    try (var bytes = delivery.rawInputStream()) {
      return decoded(bytes.readAllBytes());
    } catch (IOException failed) {
      throw new ClientException("the answer could not be read", failed);
    }
  }

  private static Message<?> decoded(byte[] bytes) throws ClientException {
    var buffer = ProtonBufferAllocator.defaultAllocator().copy(bytes);
    return ClientMessageSupport.decodeMessage(buffer, ignored -> {});
  }

  private static List<Message<?>> messages(@Nullable Object body) throws ClientException {
    var messages = new ArrayList<Message<?>>();
    if (body instanceof Map<?, ?> map && map.get("messages") instanceof List<?> list) {
      for (var entry : list) {
        if (entry instanceof Map<?, ?> one && one.get("message") instanceof Binary bytes) {
          messages.add(decoded(bytes.asByteArray()));
        }
      }
    }
    return messages;
  }

  private void print(String line) {
    if (spec != null) {
      ConsoleOutput.print(spec, line);
    }
  }
}
