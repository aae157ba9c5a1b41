package io.peeklock.amqp.transaction;

import io.peeklock.amqp.engine.session.AmqpSession;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkIndex;
import io.peeklock.amqp.link.LinkKind;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.runtime.access.Right;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An AMQP session that carries a coordinator's link besides others: a client in its cross-entity
 * mode. The first of the others fixes the entity that its transactions go via (S-392 to S-394).
 */
public record TransactedSession(LinkConnection connection, @Nullable NodeLink first) {

  /**
   * The session of a link.
   *
   * @param links of its connection
   */
  public static TransactedSession of(NodeLink link, LinkIndex links) {
    return of(link.connection, link.link().session(), links);
  }

  /**
   * A session of a connection.
   *
   * @param links of the same
   */
  public static TransactedSession of(
      LinkConnection connection, AmqpSession session, LinkIndex links) {
    return new TransactedSession(
        connection, links.isTransactional(session) ? links.firstOf(session) : null);
  }

  /** The entity that transactions go via, when it is another one than this. */
  public @Nullable String viaOtherThan(EntityAddress address) {
    var via = first == null ? null : first.address.transactedEntity();
    return via == null || via.equalsIgnoreCase(address.transactedEntity()) ? null : via;
  }

  /**
   * Why nothing can be sent through this link in a transaction of the session: from a subscription
   * it goes via the topic, and the client must be allowed to send there (S-394).
   */
  @Nullable MessageProblem whyNotSend(NodeLink link) {
    if (link.kind() != LinkKind.SENDER
        || first == null
        || !first.address.isSubscription()
        || connection.rights().allow(first.address.resource(), Right.SEND, connection.wallMillis())
        || connection.rights().allow(topic(), Right.SEND, connection.wallMillis())) {
      return null;
    }
    return new MessageProblem(
        Conditions.UNAUTHORIZED,
        "Unauthorized access. '"
            + Right.SEND.claim()
            + "' claim(s) are required on the topic that the transaction goes via");
  }

  private String topic() {
    return first == null ? "" : first.address.transactedEntity().toLowerCase(Locale.ROOT);
  }
}
