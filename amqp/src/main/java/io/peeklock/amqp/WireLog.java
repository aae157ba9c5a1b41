package io.peeklock.amqp;

import io.peeklock.amqp.engine.framing.FrameTrace;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The frames of one connection as lines of the log, from {@code io.peeklock.wire}. */
final class WireLog implements FrameTrace {
  private static final Logger LOG = LoggerFactory.getLogger("io.peeklock.wire");

  private final String peer;

  WireLog(InetSocketAddress peer) {
    this.peer = peer.getAddress().getHostAddress() + ":" + peer.getPort();
  }

  @Override
  public void received(String frame) {
    LOG.info("{} > {}", peer, frame);
  }

  @Override
  public void sent(String frame) {
    LOG.info("{} < {}", peer, frame);
  }
}
