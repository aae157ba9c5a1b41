package io.peeklock.amqp.engine.session;

import java.util.ArrayList;
import java.util.List;

/** The sessions of one connection that hold settlements back, oldest first. */
public final class FlushQueue {
  private final List<SettlementBuffer> waiting = new ArrayList<>();

  void add(SettlementBuffer buffer) {
    waiting.add(buffer);
  }

  /** Writes what is held back. */
  public void flush() {
    for (int i = 0; i < waiting.size(); i++) {
      waiting.get(i).flush();
    }
    waiting.clear();
  }

  /** Forgets all sessions, which are over or about to be. */
  public void clear() {
    waiting.clear();
  }
}
