package io.peeklock.conformance.kill;

import io.peeklock.conformance.BrokerProcess;
import java.io.IOException;

/** How a broker's life is ended. */
@FunctionalInterface
public interface Crash {
  /** Afterwards the broker is gone, and its folder is there for the next one. */
  void on(BrokerProcess broker) throws IOException;
}
