package io.peeklock.amqp.engine.link;

import io.peeklock.amqp.engine.framing.Output;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.engine.session.FlushQueue;

/** The objects that the sessions and links of one connection share. */
public final class ConnectionContext {
  private final EngineConfig.Limits limits;
  private final Output output;
  private final SessionListener listener;
  private final int firstId;
  private final LinkWeights weights = new LinkWeights();
  private final FlushQueue unflushed = new FlushQueue();
  private final PeerState peerState = new PeerState();
  private final IncomingTransfer transfer = new IncomingTransfer(peerState);

  /**
   * For a new connection.
   *
   * @param firstId the first transfer and delivery id of every session
   */
  public ConnectionContext(
      EngineConfig.Limits limits, Output output, SessionListener listener, int firstId) {
    this.limits = limits;
    this.output = output;
    this.listener = listener;
    this.firstId = firstId;
  }

  /** The limits of its sessions and links. */
  public EngineConfig.Limits limits() {
    return limits;
  }

  /** The output for their frames. */
  public Output output() {
    return output;
  }

  /** The listener for their events. */
  public SessionListener listener() {
    return listener;
  }

  /** The first transfer and delivery id of every session. */
  public int firstId() {
    return firstId;
  }

  /** Their weights in the budget. */
  public LinkWeights weights() {
    return weights;
  }

  /** The sessions that hold settlements back. */
  public FlushQueue unflushed() {
    return unflushed;
  }

  /** The delivery state of the current frame. */
  PeerState peerState() {
    return peerState;
  }

  /** The current transfer. */
  IncomingTransfer transfer() {
    return transfer;
  }
}
