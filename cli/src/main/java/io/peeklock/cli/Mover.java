package io.peeklock.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Connection;
import org.apache.qpid.protonj2.client.DeliveryState;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Session;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.exceptions.ClientTransactionRolledBackException;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages, each in a transaction that takes it from one queue and puts it into the other. So
 * whenever this process, the network or the broker ends, a message is in one of them and not in
 * both; the same command again moves the rest.
 */
final class Mover {
  /** Of messages in a transaction: what every profile of the broker takes. */
  private static final int BATCH = 100;

  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Connection connection;
  private final IncomingBytes incoming;
  private final Printer printer;
  private final boolean newIds;
  private long moved;
  private long toldAtNanos = System.nanoTime();

  /**
   * For one command.
   *
   * @param newIds whether moved messages get message ids of their own, which no detection of
   *     duplicates knows
   */
  Mover(Connection connection, IncomingBytes incoming, Printer printer, boolean newIds) {
    this.connection = connection;
    this.incoming = incoming;
    this.printer = printer;
    this.newIds = newIds;
  }

  /**
   * Moves messages; or deletes them.
   *
   * @param to where to; null to delete
   * @return how many; fewer than are wanted where somebody else had them
   */
  long move(String from, @Nullable String to, Set<Long> wanted) throws ClientException {
    var all = wanted.size();
    var session = connection.openSession();
    Management.opened(session.openFuture());
    try (var picker = new Picker(session, from, incoming, wanted)) {
      var sender = to == null ? null : sender(session, to);
      for (var batch = picker.next(BATCH); !batch.isEmpty(); batch = picker.next(BATCH)) {
        if (sender == null) {
          delete(batch);
        } else {
          move(session, sender, batch);
        }
        moved += batch.size();
        tell(sender == null ? "deleted " : "moved ", all);
      }
      picker.giveBack();
    } catch (ClientTransactionRolledBackException undone) {
      throw after(
          CliFailure.refused(
              "the last batch was not moved, and is free when its locks lapse: " + reason(undone)));
    } catch (CliFailure failed) {
      throw after(failed);
    } finally {
      session.close();
    }
    return moved;
  }

  private static Sender sender(Session session, String to) throws ClientException {
    var sender = session.openSender(to);
    Management.opened(sender.openFuture());
    return sender;
  }

  private void move(Session session, Sender sender, List<Taken> batch) throws ClientException {
    session.beginTransaction();
    for (var taken : batch) {
      sender.send(copy(taken.message()));
      taken.delivery().disposition(DeliveryState.accepted(), true);
    }
    session.commitTransaction();
  }

  private static void delete(List<Taken> batch) throws ClientException {
    var settlements = new Settlements();
    settlements.settle(batch, DeliveryState.accepted());
    settlements.await();
  }

  private CliFailure after(CliFailure failed) {
    return moved == 0 ? failed : failed.afterMoved(moved);
  }

  private static String reason(Exception undone) {
    var cause = undone.getCause() == null ? undone : undone.getCause();
    return String.valueOf(cause.getMessage());
  }

  private void tell(String done, int all) {
    var now = System.nanoTime();
    if (now - toldAtNanos > TELL_NANOS) {
      toldAtNanos = now;
      printer.note(done + moved + " of " + all);
    }
  }

  /** The message as it was sent: without what the broker and the death added. */
  private Message<?> copy(AdvancedMessage<?> message) throws ClientException {
    var header = message.header();
    var copy = message.header(null);
    copy.durable(true);
    if (header != null && header.hasTimeToLive()) {
      copy.timeToLive(header.getTimeToLive());
    }
    if (header != null && header.hasPriority()) {
      copy.priority(header.getPriority());
    }
    if (copy.properties() != null) {
      copy.properties().clearAbsoluteExpiryTime();
      copy.properties().clearCreationTime();
    }
    withoutTheBrokers(copy);
    copy.removeProperty(Selection.REASON);
    copy.removeProperty(Selection.DESCRIPTION);
    if (newIds) {
      copy.messageId(UUID.randomUUID().toString());
    }
    return copy;
  }

  private static void withoutTheBrokers(AdvancedMessage<?> message) throws ClientException {
    Map<String, Object> kept = new LinkedHashMap<>();
    message.forEachAnnotation(
        (name, value) -> {
          if (!MessageJson.NAMED.contains(name) || name.endsWith("partition-key")) {
            kept.put(name, value);
          }
        });
    message.annotations(null);
    for (var entry : kept.entrySet()) {
      message.annotation(entry.getKey(), entry.getValue());
    }
  }
}
