package io.peeklock.amqp.engine.framing;

/**
 * Receives the frames of one connection in words: the performative with its fields, only the size
 * of payloads, no SASL responses. Called on the engine's thread.
 */
public interface FrameTrace {
  /** A frame from the client. */
  void received(String frame);

  /** A frame to the client, reported when it is handed over to be written. */
  void sent(String frame);
}
