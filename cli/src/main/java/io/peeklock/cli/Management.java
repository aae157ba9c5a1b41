package io.peeklock.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Receiver;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.types.Binary;
import org.jspecify.annotations.Nullable;

/** The management node of a queue or subscription: requests, each with its answer. */
final class Management implements AutoCloseable {
  private static final int MOST_PEEKED = 250;
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final long PATIENCE_SECONDS = 10;

  private final Receiver replies;
  private final Sender requests;
  private final IncomingBytes incoming;
  private long asked;

  private Management(Receiver replies, Sender requests, IncomingBytes incoming) {
    this.replies = replies;
    this.requests = requests;
    this.incoming = incoming;
  }

  /** Opens that of an address. */
  static Management of(Connection connection, String address, IncomingBytes incoming)
      throws ClientException {
    var node = address + "/$management";
    var replies = connection.openReceiver(node);
    var requests = connection.openSender(node);
    opened(replies.openFuture());
    opened(requests.openFuture());
    return new Management(replies, requests, incoming);
  }

  /** Waits until a link is open. */
  static void opened(Future<?> link) throws ClientException {
    try {
      link.get();
    } catch (ExecutionException failed) {
      throw new ClientException("the queue could not be opened", failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw CliFailure.unreachable("interrupted");
    }
  }

  /**
   * Looks at messages, in the order of their numbers.
   *
   * @param sessionId of whose messages; null for all
   * @return up to {@code most} and no more than 250; empty when there is none from there on
   */
  List<AdvancedMessage<?>> peek(long first, int most, @Nullable String sessionId)
      throws ClientException {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("from-sequence-number", first);
    body.put("message-count", Math.min(most, MOST_PEEKED));
    if (sessionId != null) {
      body.put("session-id", sessionId);
    }
    return messages(ask("peek-message", body));
  }

  /** Asks, and waits for the answer; null for one without anything in it. */
  @Nullable Map<?, ?> ask(String operation, Map<String, ? extends @Nullable Object> body)
      throws ClientException {
    var request = Message.create(body).messageId("request-" + asked++).replyTo("cli");
    request.property("operation", "com.microsoft:" + operation);
    incoming.taken();
    requests.send(request);
    var delivery = replies.receive(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (delivery == null) {
      throw CliFailure.unreachable("the broker did not answer in " + PATIENCE_SECONDS + " s");
    }
    var reply = MessageBytes.of(delivery).message();
    var status = reply.property("statusCode") instanceof Integer code ? code : 0;
    if (status == NO_CONTENT) {
      return null;
    }
    if (status == OK) {
      Object answer = reply.body();
      return answer instanceof Map<?, ?> map ? map : Map.of();
    }
    var sentence =
        reply.property("statusDescription") + " (" + reply.property("errorCondition") + ")";
    throw CliFailure.refused(sentence);
  }

  /** The messages in an answer. */
  static List<AdvancedMessage<?>> messages(@Nullable Map<?, ?> answer) throws ClientException {
    var messages = new ArrayList<AdvancedMessage<?>>();
    if (answer != null && answer.get("messages") instanceof List<?> list) {
      for (var entry : list) {
        if (entry instanceof Map<?, ?> one && one.get("message") instanceof Binary bytes) {
          messages.add(MessageBytes.of(bytes.asByteArray()));
        }
      }
    }
    return messages;
  }

  @Override
  public void close() {
    requests.close();
    replies.close();
  }
}
