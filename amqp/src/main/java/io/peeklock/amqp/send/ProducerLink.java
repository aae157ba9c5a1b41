package io.peeklock.amqp.send;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.amqp.limit.AmqpSettings;
import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.LinkKind;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.PartialDelivery;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.message.BatchEnvelope;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.amqp.message.SendRun;
import io.peeklock.amqp.message.SendTarget;
import io.peeklock.amqp.transaction.OpenTransaction;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.Right;
import org.jspecify.annotations.Nullable;

/**
 * A link on which a client sends to a queue. All messages of a read burst become one {@link
 * Request.Send}; their bytes are copied once, from the socket's buffer into the arena.
 *
 * <p>A message comes in one frame, is gathered from several, or, from 1 MiB on, is staged by {@link
 * LargeIntake} as its frames arrive. While a large one is being synced, later transfers on this
 * link are held back, so that the order stays.
 */
public final class ProducerLink extends NodeLink {
  private final ReceivingLink link;
  private final Transactions transactions;
  private final EntityAddress destination;
  private SendTarget target;
  private final ShardPort port = new ShardPort(this);
  private final BatchEnvelope envelope = new BatchEnvelope();
  private final SendRun gathered;
  private final HeldTransfers held;
  private int deliveryId;
  private int format;
  private boolean settled;
  private @Nullable MessageProblem problem;
  private @Nullable OpenTransaction transaction;
  private final PartialDelivery partial;
  private long partialBytes;
  private long exceeded; // the limit that the delivery has exceeded; 0 for none
  private @Nullable LargeIntake large;

  /**
   * A link to an entity, which may be one that messages are only sent via (S-301).
   *
   * @param address the address of the attach, by which transactions know the link
   * @param destination the address of the messages' destination, usually the same
   * @param via the entity that they are sent via; null for none
   * @param entry the catalogue's entry of the destination
   */
  public ProducerLink(
      LinkConnection connection,
      EntityAddress address,
      EntityAddress destination,
      @Nullable QueueId via,
      ReceivingLink link,
      Catalogue.Entry entry,
      Transactions transactions) {
    super(connection, address);
    this.destination = destination;
    this.transactions = transactions;
    this.link = link;
    this.target = SendTarget.of(entry, via);
    this.held = new HeldTransfers(connection);
    this.partial = new PartialDelivery(this);
    this.gathered = new SendRun(entry.definition(), connection.loopContext().messageIds);
  }

  @Override
  public LinkKind kind() {
    return LinkKind.SENDER;
  }

  @Override
  public ReceivingLink link() {
    return link;
  }

  @Override
  public Right needs() {
    return Right.SEND;
  }

  /** Sending via an entity needs the right for both (S-302). */
  @Override
  public boolean isAllowed(long nowMillis) {
    return super.isAllowed(nowMillis)
        && connection.rights().keeps(destination.resource(), Right.SEND, nowMillis);
  }

  /**
   * Checks the entity after a change. The shard informs receivers itself; idle senders learn of it
   * here.
   */
  @Override
  public void entitiesChanged(Catalogue catalogue) {
    var now = catalogue.queue(destination.entity());
    var here = catalogue.queue(address.entity());
    if (now == null || !now.queue().equals(target.queue())) {
      detachAsGone(destination.shown());
    } else if (here == null) {
      detachAsGone(address.shown());
    } else if (!here.definition().status().takesSends()) { // S-303: the destination may be disabled
      detach(Conditions.ENTITY_DISABLED, RefusalConditions.DISABLED);
    } else {
      target = SendTarget.of(now, target.via());
    }
  }

  ShardPort port() {
    return port;
  }

  @Override
  public void transfer(IncomingTransfer transfer) {
    var inOrder = large == null || !large.isFinishing();
    if (inOrder && HeldTransfer.isWhole(transfer)) {
      deliveryId = transfer.deliveryId();
      format = transfer.messageFormat();
      settled = transfer.isSettled();
      problem = null;
      transaction = null;
      whole(transfer.buffer(), transfer.payloadOffset(), transfer.payloadLength());
    } else if (inOrder) {
      take(HeldTransfer.view(transfer));
    } else {
      hold(HeldTransfer.view(transfer));
    }
  }

  private void hold(HeldTransfer next) {
    if (!held.add(next)) {
      overfull();
    }
  }

  private void take(HeldTransfer frame) {
    if (frame.first()) {
      deliveryId = frame.deliveryId();
      format = frame.format();
      settled = false;
      problem = null;
      transaction = null;
    }
    if (frame.transaction() != null && transaction == null) {
      enter(frame.transaction()); // also for a refused message, which fails its transaction
    }
    settled |= frame.settled();
    if (frame.aborted()) {
      dropPartial();
    } else if (frame.first() && !frame.more()) {
      whole(frame.buffer(), frame.offset(), frame.length());
    } else {
      gather(frame);
    }
  }

  private void enter(TransactionId id) {
    transaction = transactions.find(id);
    var wrong = transaction == null ? Transactions.UNKNOWN : transaction.enter(this);
    problem = problem == null ? wrong : problem;
  }

  // --- several frames ---

  private void gather(HeldTransfer frame) {
    partialBytes += frame.length();
    if (problem == null && partialBytes > limitOfDelivery()) {
      exceed(limitOfDelivery());
    }
    if (problem == null && !append(frame)) {
      if (!isLargerThanAnnounced(partialBytes)) {
        overfull();
        return;
      }
      exceed(connection.limits().announcedBatchBytes(target.definition())); // no retry helps
    }
    if (!frame.more()) {
      endGathering();
    }
  }

  /** What is left of the delivery is counted only, to be told with the refusal. */
  private void exceed(long mostBytes) {
    exceeded = mostBytes;
    problem = MessageProblem.tooLarge(deliveryId, partialBytes, mostBytes);
    partial.drop();
  }

  private boolean append(HeldTransfer frame) {
    if (large != null) {
      problem = large.write(frame.buffer(), frame.offset(), frame.length());
      return true;
    }
    if (!partial.add(frame.buffer(), frame.offset(), frame.length())) {
      return false;
    }
    var begun = partial.bytes();
    if (format != BatchEnvelope.FORMAT
        && begun != null
        && begun.readableBytes() > MessageNormalizer.LARGEST_IN_MEMORY) {
      large = new LargeIntake(this, target.definition());
      problem = large.begin(begun);
      partial.drop();
    }
    return true;
  }

  private void endGathering() {
    if (problem != null && exceeded > 0) {
      problem = MessageProblem.tooLarge(deliveryId, partialBytes, exceeded);
    }
    exceeded = 0;
    partialBytes = 0;
    if (problem != null) {
      partial.drop();
      dropLarge();
      reject(problem);
    } else if (large != null) {
      submitNow();
      problem = charge(1);
      problem = problem == null ? large.finish(deliveryId, settled, transaction) : problem;
      if (problem != null) {
        dropLarge();
        reject(problem);
      }
    } else {
      var whole = partial.take();
      if (whole == null) {
        reject(new MessageProblem(Conditions.DECODE_ERROR, "The message is empty"));
        return;
      }
      try {
        whole(whole, whole.readerIndex(), whole.readableBytes());
      } finally {
        whole.release(); // owned here, also after a fault
      }
    }
  }

  private void dropPartial() {
    exceeded = 0;
    partialBytes = 0;
    partial.drop();
    dropLarge();
  }

  private void dropLarge() {
    if (large != null) {
      large.abort();
      large = null;
    }
  }

  private void overfull() {
    detach(
        Conditions.RESOURCE_LIMIT_EXCEEDED,
        "Too many messages of this connection are half received. A retry may help");
  }

  private long limitOfDelivery() {
    return format == BatchEnvelope.FORMAT // S-407: also if single messages may be larger
        ? connection.limits().batchBytesOf(target.definition())
        : target.definition().maxMessageBytes();
  }

  private boolean isLargerThanAnnounced(long bytes) {
    return format == BatchEnvelope.FORMAT
        && bytes > connection.limits().announcedBatchBytes(target.definition());
  }

  /** Of a batch that is larger than announced, and for which there is no room after all. */
  private MessageProblem tooMuch(long bytes) {
    var most = connection.limits().announcedBatchBytes(target.definition());
    return MessageProblem.tooLarge(deliveryId, bytes, most);
  }

  // --- whole deliveries ---

  private void whole(ByteBuf buffer, int offset, int length) {
    if (problem == null && length > limitOfDelivery()) {
      problem = MessageProblem.tooLarge(deliveryId, length, limitOfDelivery());
    }
    if (problem != null) {
      reject(problem);
    } else if (format == BatchEnvelope.FORMAT) {
      batch(buffer, offset, length);
    } else if (length > MessageNormalizer.LARGEST_IN_MEMORY) {
      wholeLarge(buffer, offset, length);
    } else {
      single(buffer, offset, length);
    }
  }

  private void wholeLarge(ByteBuf buffer, int offset, int length) {
    large = new LargeIntake(this, target.definition());
    problem = large.begin(buffer.slice(offset, length));
    endGathering();
  }

  private void single(ByteBuf buffer, int offset, int length) {
    if (transaction == null && !gathered.takes(settled)) {
      submitNow();
    }
    var normalizer = connection.loopContext().normalizer;
    var wrong = normalizer.inspect(buffer, offset, length);
    wrong = wrong == null ? charge(1) : wrong;
    if (wrong == null) {
      wrong = stage(normalizer, length);
    }
    if (wrong != null) {
      reject(wrong);
    } else if (transaction == null) {
      gatherLater();
    } else {
      accept();
    }
  }

  private @Nullable MessageProblem stage(MessageNormalizer normalizer, int length) {
    if (transaction != null) {
      return transaction.send(target, normalizer, length);
    }
    gathered.stage(connection.loopContext().openFor(this), normalizer, length, deliveryId, settled);
    return null;
  }

  /** Sends a batch as its own request: all or none (S-405). */
  private void batch(ByteBuf buffer, int offset, int length) {
    submitNow();
    var wrong = envelope.read(buffer, offset, length);
    if (wrong == null
        && envelope.count() > AmqpSettings.Limits.MOST_MESSAGES
        && isLargerThanAnnounced(length)) {
      wrong = tooMuch(length);
    }
    if (wrong != null) {
      reject(wrong);
      return;
    }
    if (envelope.count() == 0) {
      accept(); // S-409
      return;
    }
    wrong = charge(envelope.count());
    if (wrong == null) {
      var normalizer = connection.loopContext().normalizer;
      wrong = envelope.forEach(buffer, normalizer, size -> stage(normalizer, size));
    }
    if (wrong != null) {
      dropRun();
      reject(wrong);
    } else if (transaction == null) {
      submitRun(true);
    } else {
      accept();
    }
  }

  // --- to the shard ---

  @Override
  public void submitGathered() {
    if (!gathered.isEmpty()) {
      submitRun(false);
    }
  }

  private void submitRun(boolean atomic) {
    var ticket = gathered.ticket(atomic);
    var burst = gathered.burst();
    var queue = target.queue();
    var via = target.via();
    var staged = connection.loopContext().end(this);
    connection.submit(
        Submission.of(
            staged,
            () -> {
              gathered.clear();
              return new Request.Send(port, ticket, queue, burst, atomic, false, via);
            }));
    connection.pauseWhileArenaIsFull();
  }

  /** Drops gathered messages after a fault, which ends the connection. */
  @Override
  public void broken() {
    dropRun();
  }

  private void dropRun() {
    gathered.clear();
    connection.loopContext().drop(this);
  }

  /** Handles a large message of a transaction that is staged, or could not be. */
  void largeEntered(
      OpenTransaction entered,
      LargeBody.@Nullable Staged staged,
      SendRun run,
      int largeDeliveryId,
      boolean wasSettled) {
    large = null;
    deliveryId = largeDeliveryId;
    settled = wasSettled;
    transaction = entered;
    var wrong =
        staged == null ? problem(new Refusal.StoreFull()) : entered.sendLarge(target, run, staged);
    if (wrong == null) {
      accept();
    } else {
      reject(wrong);
    }
    replayHeld();
    entered.arrived();
  }

  /** Handles a large body that is staged, or could not be. */
  void largeStaged(
      @Nullable StagedBodies staged, SendRun run, int largeDeliveryId, boolean wasSettled) {
    large = null;
    if (staged == null) {
      deliveryId = largeDeliveryId;
      settled = wasSettled;
      settle(rejected(new Refusal.StoreFull()));
    } else {
      connection.submit(
          Submission.of(staged, () -> largeSend(run, wasSettled ? null : largeDeliveryId)));
    }
    replayHeld();
  }

  private Request.Send largeSend(SendRun run, @Nullable Integer id) {
    var ticket = id == null ? null : new SendRun.Sent(new int[] {id}, false);
    return new Request.Send(port, ticket, target.queue(), run.burst(), false, false, target.via());
  }

  private void replayHeld() {
    connection.resume(ReadPauses.HELD);
    while (!held.isEmpty() && (large == null || !large.isFinishing())) {
      held.takeFirst(this::take);
    }
    if (held.isEmpty()) {
      transactions.proceed();
    } else {
      connection.pause(ReadPauses.HELD);
    }
  }

  private @Nullable MessageProblem charge(int messages) {
    return connection.edge().charge(messages, destination.entity());
  }

  // --- answers ---

  private void reject(MessageProblem why) {
    if (transaction != null) {
      transaction.fail(why);
    }
    if (settled) {
      return; // S-019: dropped silently
    }
    // In order with earlier messages of this link, as far as the shard has answered them.
    settle(rejection(why));
  }

  private void accept() {
    settle(transaction == null ? Outcome.ACCEPTED : transaction.inside(Outcome.ACCEPTED));
  }

  private void settle(Outcome outcome) {
    if (!settled) {
      link.session().settleIncoming(deliveryId, deliveryId, outcome);
    }
  }

  private Outcome rejection(MessageProblem why) {
    return new Outcome.Rejected(
        connection.errors().error(why.condition(), why.sentence(), destination.shown()));
  }

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    if (bodies != null) {
      bodies.release();
    }
    if (effect instanceof Effect.SendAnswered answered
        && answered.ticket() instanceof SendRun.Sent sent) {
      sent.answer(link.session(), answered.refusals(), this::rejected);
    } else if (effect instanceof Effect.Refused refused
        && refused.ticket() instanceof SendRun.Sent sent) {
      sent.answerAll(link.session(), rejected(refused.refusal()));
    } else {
      throw new IllegalStateException("not for a sender: " + effect);
    }
  }

  private Outcome rejected(Refusal refusal) {
    return rejection(problem(refusal));
  }

  private MessageProblem problem(Refusal refusal) {
    return RefusalConditions.problem(refusal, destination.shown(), connection.errors());
  }

  @Override
  public void ended() {
    partial.close();
    dropPartial();
    held.drop();
    transactions.proceed();
  }
}
