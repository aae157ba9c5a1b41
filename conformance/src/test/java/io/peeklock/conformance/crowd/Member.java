package io.peeklock.conformance.crowd;

import jakarta.jms.JMSException;
import java.io.IOException;

/** One client with one connection, which it keeps. */
interface Member extends AutoCloseable {

  /** Sends a message, receives one (perhaps another's), completes it, and hears that it is done. */
  Receipt roundTrip(String id) throws Exception;

  @Override
  void close() throws IOException, JMSException;
}
