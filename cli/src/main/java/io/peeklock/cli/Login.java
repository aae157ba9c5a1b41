package io.peeklock.cli;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** How a command shows the key of its connection string. */
enum Login {
  /** As a password: one round trip. A broker takes none in the clear from other machines. */
  PASSWORD,
  /** By a signature at the token node, as clients of Azure Service Bus do. */
  TOKEN;

  private static final String NODE = "$cbs";
  private static final int ACCEPTED = 202;
  private static final int OK = 200;
  private static final long PATIENCE_SECONDS = 10;

  void configure(ConnectionOptions options, ConnectionString where) {
    if (this == PASSWORD) {
      options.user(where.keyName()).password(where.key());
    }
    options.saslOptions().addAllowedMechanism(this == PASSWORD ? "PLAIN" : "ANONYMOUS");
  }

  /**
   * Does what is left to do once the connection is open.
   *
   * @throws CliFailure when the broker does not take the key
   */
  void finish(Connection connection, ConnectionString where)
      throws ClientException, ExecutionException, InterruptedException {
    if (this == TOKEN) {
      putToken(connection, where);
    }
  }

  private static void putToken(Connection connection, ConnectionString where)
      throws ClientException, ExecutionException, InterruptedException {
    try (var replies = connection.openReceiver(NODE);
        var requests = connection.openSender(NODE)) {
      replies.openFuture().get();
      requests.openFuture().get();
      var request = Message.create(Signature.of(where)).messageId("put-token").replyTo("cbs");
      request.property("operation", "put-token");
      request.property("type", "servicebus.windows.net:sastoken");
      request.property("name", "sb://" + where.host() + "/");
      requests.send(request);
      var delivery = replies.receive(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (delivery == null) {
        throw CliFailure.unreachable("the broker did not answer in " + PATIENCE_SECONDS + " s");
      }
      var status = delivery.message().property("status-code");
      if (!(status instanceof Integer code && (code == ACCEPTED || code == OK))) {
        throw CliFailure.refused("the broker does not take this key: " + where);
      }
    }
  }
}
