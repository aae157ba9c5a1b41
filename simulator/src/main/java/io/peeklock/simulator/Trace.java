package io.peeklock.simulator;

import io.peeklock.simulator.history.Answer;
import io.peeklock.simulator.history.Auditor;
import io.peeklock.simulator.history.Operation;
import io.peeklock.simulator.history.SeenMessage;
import java.util.ArrayDeque;
import java.util.List;

/** Everything that happened in a run: its hash, and the last of it in words. */
final class Trace implements Auditor {
  private static final int LAST = 30;
  private static final int MAX_CHARACTERS = 400;
  private static final long PRIME = 0x100000001b3L;

  private final ArrayDeque<String> last = new ArrayDeque<>();
  private long hash = 0xcbf29ce484222325L;

  /** The same for two runs in which the same happened. */
  long hash() {
    return hash;
  }

  /** The last events, oldest first. */
  List<String> last() {
    return List.copyOf(last);
  }

  void note(long millis, String event) {
    var line = millis + " " + event;
    for (var i = 0; i < line.length(); i++) {
      hash = (hash ^ line.charAt(i)) * PRIME;
    }
    if (last.size() == LAST) {
      last.remove();
    }
    last.add(line.length() > MAX_CHARACTERS ? line.substring(0, MAX_CHARACTERS) + "…" : line);
  }

  @Override
  public void asked(long id, Operation operation, long nowMillis) {
    note(nowMillis, "asked " + id + " " + operation);
  }

  @Override
  public void answered(long id, Answer answer, long nowMillis) {
    note(nowMillis, "answered " + id + " " + answer);
  }

  @Override
  public void inDoubt(long id, long nowMillis) {
    note(nowMillis, "in doubt " + id);
  }

  @Override
  public void delivered(String receiver, List<SeenMessage> messages, long nowMillis) {
    note(nowMillis, "delivered to " + receiver + " " + messages);
  }

  @Override
  public void undelivered(String receiver, long nowMillis) {
    note(nowMillis, "not delivered to " + receiver);
  }

  @Override
  public void drained(String receiver, long nowMillis) {
    note(nowMillis, "drained " + receiver);
  }

  @Override
  public void receiverEnded(String receiver, String why, long nowMillis) {
    note(nowMillis, "ended " + receiver + " " + why);
  }

  @Override
  public void rolledBack(String transaction, long nowMillis) {
    note(nowMillis, "rolled back " + transaction);
  }

  @Override
  public void troubled(String trouble, long nowMillis) {
    note(nowMillis, "trouble " + trouble);
  }

  @Override
  public void restarted(long nowMillis) {
    note(nowMillis, "restarted");
  }

  @Override
  public void atRest(long nowMillis) {
    note(nowMillis, "at rest");
  }
}
