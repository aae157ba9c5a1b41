package io.peeklock.amqp.connection;

import io.peeklock.amqp.claims.CbsLink;
import io.peeklock.amqp.deliver.ConsumerLink;
import io.peeklock.amqp.deliver.ReceiverServices;
import io.peeklock.amqp.deliver.SessionClaim;
import io.peeklock.amqp.deliver.SessionHolders;
import io.peeklock.amqp.deliver.SettleRun;
import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.engine.link.AttachReply;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.Terminus;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.amqp.limit.ReceiverCounts;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkIndex;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.management.ManagementLink;
import io.peeklock.amqp.management.ManagementServices;
import io.peeklock.amqp.request.ReplyLink;
import io.peeklock.amqp.request.ReplyLinks;
import io.peeklock.amqp.send.ProducerLink;
import io.peeklock.amqp.transaction.CoordinatorLink;
import io.peeklock.amqp.transaction.TransactedSession;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.ReceiveMode;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.access.Right;
import java.util.HashMap;
import org.jspecify.annotations.Nullable;

/** Answers attaches: finds the node, checks the rights, accepts or refuses (amqp.md 3). */
final class Attacher {
  private static final String BATCH_SIZE = "com.microsoft:max-message-batch-size";
  private static final String DESTINATION = "com.microsoft:transfer-destination-address";

  private final LinkConnection connection;
  private final LinkIndex links;
  private final Transactions transactions;
  private final ReplyLinks replyLinks = new ReplyLinks();
  private final ReceiverServices ofReceivers;
  private final ManagementServices ofManagement;

  /**
   * That of one connection.
   *
   * @param links of the connection
   * @param transactions of the connection
   */
  Attacher(LinkConnection connection, LinkIndex links, Transactions transactions) {
    this.connection = connection;
    this.links = links;
    this.transactions = transactions;
    var holders = new SessionHolders();
    this.ofReceivers = new ReceiverServices(transactions, new SettleRun(), holders);
    this.ofManagement = new ManagementServices(links, replyLinks, transactions, holders);
  }

  void clientSends(ReceivingLink link) {
    if (link.isCoordinator() && !connection.edge().settings().quotas().transactions()) {
      refuse(
          link,
          Conditions.NOT_ALLOWED,
          "Transactions are not available in the profile of this namespace",
          "");
      return;
    }
    if (link.isCoordinator()) {
      accept(link, new CoordinatorLink(connection, link, transactions));
      return;
    }
    var target = link.target();
    if (isDynamic(link, target instanceof Terminus.Target at && at.dynamic())) {
      return;
    }
    var address = addressOf(link, target == null ? null : target.address());
    if (address != null && !isMadeFirst(link, address, () -> clientSends(link, address))) {
      clientSends(link, address);
    }
  }

  private void clientSends(ReceivingLink link, EntityAddress address) {
    if (address.cbs()) {
      accept(link, new CbsLink(connection, address, link, replyLinks));
    } else if (address.management()) {
      attachManagement(link, address);
    } else {
      attachIntake(link, address);
    }
  }

  void clientReceives(SendingLink link) {
    var source = link.source();
    if (isDynamic(link, source != null && source.dynamic())) {
      return;
    }
    var address = addressOf(link, source == null ? null : source.address());
    if (address != null && !isMadeFirst(link, address, () -> clientReceives(link, address))) {
      clientReceives(link, address);
    }
  }

  private void clientReceives(SendingLink link, EntityAddress address) {
    var problem =
        ReceiverFilters.problem(link, connection.edge().settings().quotas().sharedSessions());
    if (problem != null) {
      refuse(link, problem.condition(), problem.sentence(), address);
      return;
    }
    if (address.cbs()) {
      acceptReplies(link, address);
      return;
    }
    if (isUnknownTo(address)) {
      acceptReplies(link, address);
      return;
    }
    var entry = entryFor(link, address, address.management() ? null : Right.LISTEN);
    if (entry == null) {
      return;
    }
    if (address.management()) {
      acceptReplies(link, address);
    } else {
      attachDelivery(link, address, entry);
    }
  }

  /**
   * Whether the attach must wait until its transfer dead-letter queue is created, which happens at
   * the first attach. The creation is requested once: an attach that finds no queue afterwards is
   * refused.
   */
  private boolean isMadeFirst(AmqpLink link, EntityAddress address, Runnable attach) {
    var broker = connection.edge().broker();
    var entity = broker.catalogue().queue(address.entity());
    if (!address.transferDeadLetter()
        || entity == null
        || address.entryIn(broker.catalogue()) != null
        || !mayAttach(link, address)) {
      return false;
    }
    new TransferDeadLetters(connection, link, address, attach).make(entity.definition());
    return true;
  }

  private boolean mayAttach(AmqpLink link, EntityAddress address) {
    var right =
        address.management() ? null : link instanceof SendingLink ? Right.LISTEN : Right.SEND;
    return opens(address, right);
  }

  private void attachManagement(ReceivingLink link, EntityAddress address) {
    var isUnknown = isUnknownTo(address);
    var entry = isUnknown ? null : entryFor(link, address, null);
    if (isUnknown || entry != null) {
      accept(link, new ManagementLink(connection, address, link, entry, ofManagement));
    }
  }

  /**
   * Whether it is a management node of which the client has no rights yet. Some attach it before
   * they put their token (amqp.md 7.1): so the link is taken whatever is there, and each request is
   * checked.
   */
  private boolean isUnknownTo(EntityAddress address) {
    return address.management()
        && !connection.rights().allow(address.resource(), null, connection.wallMillis());
  }

  private boolean opens(EntityAddress address, @Nullable Right right) {
    var access = connection.edge().access();
    return connection.rights().opens(address.resource(), right, connection.wallMillis(), access);
  }

  private void attachIntake(ReceivingLink link, EntityAddress address) {
    var entry = entryToSendTo(link, address);
    if (entry == null) {
      return;
    }
    var asked = link.properties().get(DESTINATION);
    if (!entry.definition().status().takesSends()) {
      refuse(link, Conditions.ENTITY_DISABLED, RefusalConditions.DISABLED, address);
      return;
    }
    if (asked == null) {
      attachIntake(link, address, address, null, entry);
      return;
    }
    var destination = addressOf(link, asked.toString()); // S-301
    if (destination == null) {
      return;
    }
    var there = entryToSendTo(link, destination); // S-302, S-304
    if (there != null) {
      attachIntake(link, address, destination, entry.queue(), there);
    }
  }

  /** The queue or topic of an address to send to; null when the attach was refused. */
  private Catalogue.@Nullable Entry entryToSendTo(ReceivingLink link, EntityAddress address) {
    var entry = entryFor(link, address, Right.SEND);
    if (entry == null) {
      return null;
    }
    var why =
        entry.definition().role() instanceof QueueRole.Subscription
            ? "Messages cannot be sent to a subscription directly, only to its topic"
            : address.isForTheDead()
                ? "Messages cannot be sent to a dead-letter queue directly"
                : null;
    if (why == null && (address.management() || address.cbs())) {
      why = "Messages cannot be sent via an entity to '" + address.shown() + "'";
    }
    if (why != null) {
      refuse(link, Conditions.NOT_ALLOWED, why, address.shown());
      return null;
    }
    return entry;
  }

  private void attachIntake(
      ReceivingLink link,
      EntityAddress address,
      EntityAddress destination,
      @Nullable QueueId via,
      Catalogue.Entry entry) {
    var intake = new ProducerLink(connection, address, destination, via, link, entry, transactions);
    link.attach(intake);
    var properties = new HashMap<String, Object>();
    properties.put(BATCH_SIZE, connection.limits().announcedBatchBytes(entry.definition()));
    var asked = link.properties().get(DESTINATION);
    if (asked != null) {
      properties.put(DESTINATION, asked.toString());
    }
    var reply =
        AttachReply.ofMaxMessageSize(entry.definition().maxMessageBytes())
            .withProperties(properties);
    if (link.accept(reply)) {
      connection.joined(intake);
      link.autoCredit(connection.limits().senderCredit());
    }
  }

  private void attachDelivery(SendingLink link, EntityAddress address, Catalogue.Entry entry) {
    if (entry.definition().role() instanceof QueueRole.Topic) { // S-052, S-182
      refuse(
          link,
          Conditions.NOT_FOUND,
          connection.errors().notFound(address.shown())
              + " among queues and subscriptions. Messages cannot be received from a topic, only"
              + " from its subscriptions",
          address);
      return;
    }
    var destination =
        address.deadLetter()
            ? entry.definition().forwardDeadLettersTo()
            : entry.definition().forwardTo();
    if (destination != null) { // S-199, S-289
      var why = new Refusal.MessagesAreForwarded(destination);
      var told = RefusalConditions.problem(why, address.shown(), connection.errors());
      refuse(link, told.condition(), told.sentence(), address);
      return;
    }
    if (!entry.definition().status().letsReceive()) {
      refuse(link, Conditions.ENTITY_DISABLED, RefusalConditions.DISABLED, address);
      return;
    }
    var queue = address.queueIn(entry);
    var claim = SessionClaim.of(link);
    var sessions = entry.definition().requiresSession() && !address.deadLetter();
    if (queue == null
        || refusedByKind(link, address, claim != null, sessions)
        || refusedBySession(link, address)) {
      return;
    }
    var other =
        connection.edge().settings().oneEntityPerTransaction()
            ? TransactedSession.of(connection, link.session(), links).viaOtherThan(address)
            : null;
    if (other != null) { // S-393
      refuse(
          link,
          Conditions.NOT_ALLOWED,
          "Transactions of this session go via the entity '"
              + other
              + "'; messages can be sent to others, but not received from them",
          address);
      return;
    }
    attachReceiver(link, address, entry, queue, claim);
  }

  private void attachReceiver(
      SendingLink link,
      EntityAddress address,
      Catalogue.Entry entry,
      QueueId queue,
      @Nullable SessionClaim claim) {
    var mode =
        link.senderSettleMode() == AmqpLink.MODE_ONE
            ? ReceiveMode.RECEIVE_AND_DELETE
            : ReceiveMode.PEEK_LOCK;
    var receivers = connection.edge().receivers();
    var countedBy = ReceiverCounts.keyOf(entry.definition());
    if (!receivers.enter(countedBy)) {
      refuse(
          link,
          Conditions.RESOURCE_LIMIT_EXCEEDED,
          "The entity '"
              + countedBy
              + "' has as many receivers as are allowed, which is "
              + receivers.most()
              + ". A retry helps only after one of them was closed",
          address);
      return;
    }
    var delivery =
        new ConsumerLink(connection, address, link, queue, mode, claim, countedBy, ofReceivers);
    link.attach(delivery);
    delivery.open();
    if (claim != null) {
      connection.joined(delivery); // the attach is answered once there is a session
      return;
    }
    // Not the queue's limit (S-433): our annotations make a delivery larger than the sent message,
    // and the Go client drops the link over a message above the announced size.
    if (link.accept(AttachReply.ofMaxMessageSize(ConsumerLink.UNLIMITED))) {
      connection.joined(delivery);
    } else {
      receivers.leave(countedBy);
    }
  }

  private boolean refusedByKind(
      SendingLink link, EntityAddress address, boolean asksForSession, boolean hasSessions) {
    var source = link.source();
    if (source == null) {
      return false;
    }
    if ("copy".equals(source.distributionMode())) {
      refuse(link, Conditions.NOT_IMPLEMENTED, "Browsing links are not implemented", address);
      return true;
    }
    if (asksForSession && !hasSessions) {
      refuse(
          link,
          Conditions.NOT_ALLOWED,
          "A sessionful message receiver cannot be created on an entity that does not require"
              + " sessions. Ensure RequiresSession is set to true when creating a queue or"
              + " subscription to enable sessionful behavior",
          address);
      return true;
    }
    if (hasSessions && !asksForSession) { // S-233
      refuse(
          link,
          Conditions.NOT_ALLOWED,
          "It is not possible for an entity that requires sessions to create a non-sessionful"
              + " message receiver",
          address);
      return true;
    }
    return false;
  }

  private boolean refusedBySession(SendingLink link, EntityAddress address) {
    var wrong = SessionClaim.wrong(link);
    if (wrong != null) {
      refuse(link, Conditions.ARGUMENT_ERROR, wrong, address);
    }
    return wrong != null;
  }

  /** Whether the link is refused because it asks for a node to be made for it. */
  private boolean isDynamic(AmqpLink link, boolean asksForOne) {
    if (asksForOne) {
      refuse(link, Conditions.NOT_IMPLEMENTED, "Dynamic nodes are not implemented", "");
    }
    return asksForOne;
  }

  private @Nullable EntityAddress addressOf(AmqpLink link, @Nullable String address) {
    if (address == null || address.isEmpty() || address.length() > EntityAddress.MAX_CHARS) {
      refuse(
          link,
          Conditions.INVALID_FIELD,
          "The link names no entity: its address is missing or too long",
          "");
      return null;
    }
    return EntityAddress.parse(address);
  }

  /** The entity of an address, after the rights were checked; null when the attach was refused. */
  private Catalogue.@Nullable Entry entryFor(
      AmqpLink link, EntityAddress address, @Nullable Right right) {
    if (!opens(address, right)) {
      refuse(link, Conditions.UNAUTHORIZED, RefusalConditions.unauthorized(right), address);
      return null;
    }
    var catalogue = connection.edge().broker().catalogue();
    var entry = address.entryIn(catalogue);
    if (entry == null) {
      var why =
          RefusalConditions.problem(catalogue.missing(), address.shown(), connection.errors());
      refuse(link, why.condition(), why.sentence(), address);
    }
    return entry;
  }

  private void accept(ReceivingLink link, NodeLink node) {
    link.attach(node);
    if (link.accept(AttachReply.ofMaxMessageSize(connection.limits().requestBytes()))) {
      connection.joined(node);
      link.autoCredit(connection.limits().senderCredit());
    }
  }

  private void acceptReplies(SendingLink link, EntityAddress address) {
    var node = new ReplyLink(connection, address, link, replyLinks);
    link.attach(node);
    if (link.accept(AttachReply.ofMaxMessageSize(ConsumerLink.UNLIMITED))) {
      connection.joined(node);
    }
  }

  private void refuse(AmqpLink link, String condition, String sentence, EntityAddress address) {
    refuse(link, condition, sentence, address.shown());
  }

  private void refuse(AmqpLink link, String condition, String sentence, String entity) {
    link.refuse(connection.errors().error(condition, sentence, entity));
  }
}
