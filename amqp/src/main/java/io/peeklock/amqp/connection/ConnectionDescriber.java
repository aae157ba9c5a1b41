package io.peeklock.amqp.connection;

import io.peeklock.amqp.engine.PeerOpen;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.runtime.thread.EventLoopThread;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes a connection, whose client has said who it is. */
@EventLoopThread
final class ConnectionDescriber {
  private static final int MOST_CHARACTERS = 200;

  private final long sinceMillis;
  private @Nullable String container;
  private @Nullable String product;

  ConnectionDescriber(long sinceMillis) {
    this.sinceMillis = sinceMillis;
  }

  void opened(PeerOpen open) {
    container = shortened(open.containerId());
    var name = text(open, "product");
    var version = text(open, "version");
    var both = name == null || version == null ? name : name + " " + version;
    product = shortened(both == null ? text(open, "user-agent") : both);
  }

  private static @Nullable String text(PeerOpen open, String key) {
    var value = open.properties().get(key);
    return value == null ? null : value.toString();
  }

  private static @Nullable String shortened(@Nullable String text) {
    return text == null || text.length() <= MOST_CHARACTERS
        ? text
        : text.substring(0, MOST_CHARACTERS);
  }

  ConnectionDescription of(long order, AmqpConnection connection, Collection<NodeLink> links) {
    return new ConnectionDescription(
        order,
        shown(connection.channel().remoteAddress()),
        container,
        product,
        connection.rights().policies(),
        sinceMillis,
        links.size(),
        links.stream()
            .limit(ConnectionDescription.MOST_LINKS)
            .map(ConnectionDescriber::of)
            .toList());
  }

  private static String shown(@Nullable SocketAddress peer) {
    return peer instanceof InetSocketAddress address
        ? address.getAddress().getHostAddress() + ":" + address.getPort()
        : String.valueOf(peer);
  }

  private static ConnectionDescription.Link of(NodeLink node) {
    var link = node.link();
    return new ConnectionDescription.Link(
        String.valueOf(shortened(link.name())),
        node.kind().name().toLowerCase(Locale.ROOT),
        String.valueOf(shortened(node.address.shown())),
        switch (link) {
          case SendingLink out -> out.credit();
          case ReceivingLink in -> in.credit();
        },
        link instanceof SendingLink out ? out.unsettledCount() : 0);
  }
}
