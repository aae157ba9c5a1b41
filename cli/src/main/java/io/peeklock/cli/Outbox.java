package io.peeklock.cli;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.Sender;
import org.apache.qpid.protonj2.client.Tracker;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/** Sends that are under way, of which the oldest is waited for when there are many. */
final class Outbox {
  private static final int UNDER_WAY = 256;
  private static final long PATIENCE_SECONDS = 60;

  private final ArrayDeque<Tracker> underWay = new ArrayDeque<>();
  private long accepted;

  /** Sends one. */
  void send(Sender sender, IncomingBytes incoming, Message<?> message) throws ClientException {
    underWay.add(sender.send(message));
    if (underWay.size() > UNDER_WAY) {
      awaitOldest();
      incoming.taken();
    }
  }

  /** Waits until all are accepted. */
  void await() throws ClientException {
    while (!underWay.isEmpty()) {
      awaitOldest();
    }
  }

  private void awaitOldest() throws ClientException {
    underWay.remove().awaitAccepted(PATIENCE_SECONDS, TimeUnit.SECONDS);
    accepted++;
  }

  /** How many are accepted: so many of the first, in the order in which they were sent. */
  long accepted() {
    return accepted;
  }
}
