package io.peeklock.cli;

import java.util.Locale;
import java.util.concurrent.ExecutionException;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.ReceiverOptions;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.exceptions.ClientResourceRemotelyClosedException;

/**
 * Names of subscriptions: {@code TOPIC/NAME}, as people write them and administration does, and
 * {@code TOPIC/Subscriptions/NAME}, as messages know them. Names of queues may have slashes too, so
 * the broker is asked which of the two there is.
 */
final class EntityName {
  private static final String SUBSCRIPTIONS = "/Subscriptions/";

  private EntityName() {}

  /** The name by which messages are known: that of a queue where there is one. */
  static String resolved(Connection connection, String name) throws ClientException {
    var part = name.indexOf("/$");
    var entity = part < 0 ? name : name.substring(0, part);
    var slash = entity.lastIndexOf('/');
    if (slash <= 0 || topicEnd(entity) >= 0) {
      return name;
    }
    var subscription = entity.substring(0, slash) + SUBSCRIPTIONS + entity.substring(slash + 1);
    var isSubscription = !exists(connection, entity) && exists(connection, subscription);
    return isSubscription ? subscription + name.substring(entity.length()) : name;
  }

  /** Of a subscription in the long form its topic; any other name as it is. */
  static String topicOf(String name) {
    var end = topicEnd(name);
    return end < 0 ? name : name.substring(0, end);
  }

  private static int topicEnd(String name) {
    return name.toLowerCase(Locale.ROOT).indexOf(SUBSCRIPTIONS.toLowerCase(Locale.ROOT));
  }

  /** Whatever else is wrong is said when the command opens what it needs. */
  private static boolean exists(Connection connection, String name) throws ClientException {
    var options = BrokerOption.patient(new ReceiverOptions()).creditWindow(0);
    try (var node = connection.openReceiver(name + "/$management", options)) {
      node.openFuture().get();
      return true;
    } catch (ExecutionException failed) {
      return !(failed.getCause() instanceof ClientResourceRemotelyClosedException refused
          && refused.getErrorCondition() != null
          && refused.getErrorCondition().condition().equals("amqp:not-found"));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw CliFailure.unreachable("interrupted");
    }
  }
}
