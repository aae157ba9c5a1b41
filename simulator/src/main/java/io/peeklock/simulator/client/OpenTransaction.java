package io.peeklock.simulator.client;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Transaction;
import io.peeklock.simulator.history.SentMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A transaction that was declared and is not over: what is gathered for its commit. */
final class OpenTransaction implements Transaction {
  final String name;
  final List<Request.Settle> settlements = new ArrayList<>();
  final List<byte[]> overlays = new ArrayList<>();
  final TreeMap<SessionName, State> states = new TreeMap<>();
  final TreeMap<QueueId, Sends> sends = new TreeMap<>(Comparator.comparingInt(QueueId::number));
  final TreeMap<QueueId, List<Long>> cancels =
      new TreeMap<>(Comparator.comparingInt(QueueId::number));
  @Nullable Discharge discharge;
  int unanswered;
  boolean hasFailed;

  OpenTransaction(String name) {
    this.name = name;
  }

  /** How it is to end. */
  record Discharge(long id, boolean commit) {}

  /**
   * Messages for one queue.
   *
   * @param via the entity that they go through; null for none
   */
  record Sends(Directory.Entity to, @Nullable QueueId via, List<SentMessage> messages) {}

  /** A state to be set; null clears it. */
  record State(Request.SetSessionState set, byte @Nullable [] bytes) {}

  record SessionName(int queue, String sessionId) implements Comparable<SessionName> {
    @Override
    public int compareTo(SessionName other) {
      var byQueue = Integer.compare(queue, other.queue);
      return byQueue == 0 ? sessionId.compareTo(other.sessionId) : byQueue;
    }
  }
}
