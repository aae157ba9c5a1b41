package io.peeklock.amqp.connection;

import io.peeklock.amqp.engine.EngineListener;
import io.peeklock.amqp.engine.PeerOpen;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.engine.sasl.SaslCode;
import io.peeklock.amqp.engine.sasl.SaslInit;
import io.peeklock.amqp.engine.session.AmqpSession;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.Errors;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.runtime.RateLimitedLog;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Routes the events of the engine to the node behind each link. */
final class EngineEventRouter implements EngineListener {
  private static final Logger LOG = LoggerFactory.getLogger(EngineEventRouter.class);
  private static final RateLimitedLog REFUSALS = new RateLimitedLog(LOG);

  private final AmqpConnection connection;
  private final EdgeNamespaceRouter choice;
  private final Attacher attacher;
  private @Nullable String calledBefore;
  private boolean loggedIn;

  EngineEventRouter(AmqpConnection connection, EdgeNamespaceRouter choice, Attacher attacher) {
    this.connection = connection;
    this.choice = choice;
    this.attacher = attacher;
  }

  @Override
  public boolean isFull() {
    return connection.isFull();
  }

  @Override
  public void onSaslInit(SaslInit init) {
    calledBefore = init.hostname();
    var trusted = !init.mechanism().equals("PLAIN") || logIn(init);
    connection.engine().saslOutcome(trusted ? SaslCode.OK : SaslCode.AUTH);
  }

  /**
   * Checks a SASL login. A password is valid for one namespace, which the client must name before.
   */
  private boolean logIn(SaslInit init) {
    var meant = choice.named(init.hostname(), connection.edge());
    if (meant == null) {
      REFUSALS.info("A password for another namespace than the connection's was refused");
      return false;
    }
    goTo(meant);
    loggedIn = grantByPassword(init.response());
    return loggedIn;
  }

  private void goTo(ConnectionEdge meant) {
    if (!meant.equals(connection.edge())) {
      connection.moveTo(meant);
    }
  }

  /** PLAIN: authzid NUL policy NUL key (S-464), the policy of the namespace or of an entity. */
  private boolean grantByPassword(byte[] response) {
    var first = indexOfNul(response, 0);
    var second = first < 0 ? -1 : indexOfNul(response, first + 1);
    if (second < 0) {
      return false;
    }
    var name = new String(response, first + 1, second - first - 1, StandardCharsets.UTF_8);
    var key = Arrays.copyOfRange(response, second + 1, response.length);
    var policies = connection.edge().access().logIn(name, key);
    if (policies.isEmpty()) {
      REFUSALS.info("A password was refused");
      return false;
    }
    connection.rights().logIn(policies, key);
    connection.authorised();
    return true;
  }

  private static int indexOfNul(byte[] bytes, int from) {
    for (var i = from; i < bytes.length; i++) {
      if (bytes[i] == 0) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void onOpen(PeerOpen open) {
    connection.openedBy(open);
    if (LOG.isDebugEnabled()) {
      LOG.debug("Opened by {}", Errors.loggable(open.containerId()));
    }
    var host = open.hostname() == null ? calledBefore : open.hostname();
    var meant = choice.named(host, connection.edge());
    if (meant == null) {
      refuse(
          Conditions.NOT_ALLOWED,
          "The connection came by the name of one namespace and was opened by that of another");
    } else if (loggedIn && !meant.equals(connection.edge())) {
      refuse(
          Conditions.UNAUTHORIZED,
          "The connection was opened by the name of another namespace than the one that it logged"
              + " in to");
    } else {
      goTo(meant);
      connection.calledBy(host);
      connection.enter();
    }
    connection.dueIn(0); // a client with a short idle time-out needs an earlier heartbeat
  }

  private void refuse(String condition, String sentence) {
    connection.close(connection.errors().error(condition, sentence, ""));
  }

  @Override
  public void onBegin(AmqpSession session) {
    LOG.trace("Session {} begun", session.channel());
  }

  @Override
  public void onEnd(AmqpSession session, @Nullable AmqpError error) {
    LOG.trace("Session {} ended", session.channel());
  }

  @Override
  public void onAttachReceiving(ReceivingLink link) {
    connection.submitGathered();
    attacher.clientSends(link);
  }

  @Override
  public void onAttachSending(SendingLink link) {
    connection.submitGathered();
    attacher.clientReceives(link);
  }

  @Override
  public void onDetach(AmqpLink link, @Nullable AmqpError error) {
    if (link.attachment() instanceof NodeLink node) {
      connection.over(node);
    }
  }

  @Override
  public void onTransfer(IncomingTransfer transfer) {
    if (transfer.link().attachment() instanceof NodeLink node) {
      node.active();
      node.transfer(transfer);
    }
  }

  @Override
  public void onCredit(SendingLink link, long deliveryLimit, boolean drain) {
    if (link.attachment() instanceof NodeLink node) {
      node.active();
      node.credit(deliveryLimit, drain);
    }
  }

  @Override
  public void onDisposition(
      SendingLink link, int deliveryId, long context, PeerState state, boolean settled) {
    if (link.attachment() instanceof NodeLink node) {
      node.active();
      node.disposition(deliveryId, context, state, settled);
    }
  }

  @Override
  public void onSendable(AmqpSession session) {
    connection.pumpAll();
  }

  @Override
  public void onClose(@Nullable AmqpError error) {
    LOG.debug("Closed by the client");
  }

  @Override
  public void onFatal(AmqpError error) {
    REFUSALS.info(
        "A connection is given up: {} {}",
        error.condition(),
        Errors.loggable(String.valueOf(error.description())));
  }
}
