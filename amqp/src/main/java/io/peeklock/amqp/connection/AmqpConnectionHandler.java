package io.peeklock.amqp.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.peeklock.amqp.engine.limits.EngineConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a Netty channel to its {@link AmqpConnection}: bytes in, ends of bursts, writability,
 * the end.
 */
public final class AmqpConnectionHandler extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(AmqpConnectionHandler.class);

  private final ConnectionEdge edge;
  private final EngineConfig config;
  private final Runnable whenAuthorised;
  private final EdgeNamespaceRouter choice;
  private @Nullable AmqpConnection connection;

  /**
   * Creates the connection when its channel becomes active; parameters as in {@link
   * AmqpConnection}.
   */
  public AmqpConnectionHandler(
      ConnectionEdge edge,
      EngineConfig config,
      Runnable whenAuthorised,
      EdgeNamespaceRouter choice) {
    this.edge = edge;
    this.config = config;
    this.whenAuthorised = whenAuthorised;
    this.choice = choice;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (context.channel().isActive()) {
      start(context);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    start(context);
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (connection != null && message instanceof ByteBuf bytes) {
        connection.read(bytes);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    if (connection != null) {
      connection.endBurst();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (connection != null && context.channel().isWritable()) {
      connection.writable();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (connection != null) {
      connection.gone();
    }
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("Connection {} failed: {}", context.channel(), cause.toString());
    var unused = context.close();
  }

  private void start(ChannelHandlerContext context) {
    if (connection == null) {
      connection = new AmqpConnection(edge, config, context.channel(), whenAuthorised, choice);
    }
  }
}
