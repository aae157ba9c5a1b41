package io.peeklock.amqp.engine.framing;

/**
 * Hears in words what crosses the wire of one connection, frame by frame: the performative with its
 * fields, of payloads the size alone, no SASL responses. Called on the engine's thread.
 */
public interface FrameTrace {
  /** The client sent this. */
  void received(String frame);

  /** We send this; told when it is handed over to be written. */
  void sent(String frame);
}
