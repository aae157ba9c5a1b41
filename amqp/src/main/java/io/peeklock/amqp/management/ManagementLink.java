package io.peeklock.amqp.management;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.deliver.ConsumerLink;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.error.RefusalConditions;
import io.peeklock.amqp.filter.RuleForms;
import io.peeklock.amqp.limit.Throttle;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.NodeLink;
import io.peeklock.amqp.link.ShardPort;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.request.Reply;
import io.peeklock.amqp.request.RequestLink;
import io.peeklock.amqp.request.RequestMessage;
import io.peeklock.amqp.transaction.OpenTransaction;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.effect.MessageBurst;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.Rule;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Origin;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Ticket;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.Right;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The management node of a queue (amqp.md 7): turns requests into those of the kernel by {@link
 * ManagementRequests}, and the shard's answers into messages.
 */
public final class ManagementLink extends RequestLink implements ManagementNode {
  private static final String TOO_LARGE = "A request has more than the allowed ";

  private final ManagementServices services;
  private @Nullable Managed managed;
  private final AnswerRoom room;
  private final ShardPort port = new ShardPort(this);

  /** What it manages. */
  private record Managed(QueueId queue, QueueDefinition definition) {}

  /**
   * That of an entity which the client may know of; without an entry, one of an address of which it
   * has no rights yet, where nothing is looked for until it has.
   */
  public ManagementLink(
      LinkConnection connection,
      EntityAddress address,
      ReceivingLink link,
      Catalogue.@Nullable Entry entry,
      ManagementServices services) {
    super(connection, address, link, services.replyLinks());
    this.services = services;
    this.room = new AnswerRoom(connection.holdings());
    this.managed = managedIn(entry);
  }

  private @Nullable Managed managedIn(Catalogue.@Nullable Entry entry) {
    var queue = address.queueIn(entry);
    return entry == null || queue == null ? null : new Managed(queue, entry.definition());
  }

  private Managed managed() {
    var there = managed;
    if (there == null) {
      throw new IllegalStateException("nothing is asked before it is known what is managed");
    }
    return there;
  }

  @Override
  public ShardPort port() {
    return port;
  }

  @Override
  public QueueId queue() {
    return managed().queue();
  }

  @Override
  public NodeLink asLink() {
    return this;
  }

  @Override
  public EntityAddress address() {
    return address;
  }

  @Override
  public Transactions transactions() {
    return services.transactions();
  }

  @Override
  public @Nullable Origin holderOf(String sessionId) {
    return services.holders().holderOf(queue(), sessionId);
  }

  @Override
  public @Nullable Origin holderOnLink(@Nullable String linkName) {
    for (var candidate : services.links().named(linkName)) {
      if (candidate instanceof ConsumerLink receiver && receiver.holdsAny(queue())) {
        return receiver.port();
      }
    }
    return null;
  }

  @Override
  public void need(@Nullable Right right) {
    if (!connection.rights().allow(address.resource(), right, connection.wallMillis())) {
      throw new BadManagementRequest(
          401, Conditions.UNAUTHORIZED, RefusalConditions.unauthorized(right));
    }
  }

  @Override
  public QueueDefinition definition() {
    return managed().definition();
  }

  /** It stays whatever the status is: locks are settled here (S-428). */
  @Override
  public void entitiesChanged(Catalogue catalogue) {
    var before = managed;
    if (before == null) {
      return; // who has no rights learns of no entity
    }
    var now = managedIn(address.entryIn(catalogue));
    if (now == null || !before.queue().equals(now.queue())) {
      detachAsGone(address.shown());
    } else {
      managed = now;
    }
  }

  /** Listen or Send attach it; each operation asks for its own (amqp.md 7.1). */
  @Override
  public @Nullable Right needs() {
    return null;
  }

  @Override
  public void malformed(@Nullable RequestMessage head, String why) {
    var sentence = "A management request is malformed: " + why;
    TransactedRequest.wrong(this, transaction(), BadManagementRequest.argument(sentence));
    if (head != null) {
      fail(Call.of(head, 0), 400, Conditions.ARGUMENT_ERROR, sentence);
    } else { // without its id nobody could match an answer
      detach(Conditions.DECODE_ERROR, sentence);
    }
  }

  @Override
  public void tooLarge(@Nullable RequestMessage head) {
    var sentence = TOO_LARGE + connection.limits().requestBytes() + " bytes";
    var why = new BadManagementRequest(403, Conditions.MESSAGE_SIZE_EXCEEDED, sentence);
    TransactedRequest.wrong(this, transaction(), why);
    if (head == null) { // without its id nobody could match an answer
      detach(why.condition(), sentence);
    } else {
      fail(Call.of(head, 0), why.status(), why.condition(), sentence);
    }
  }

  @Override
  public void request(RequestMessage request) {
    var linkName = request.text(RequestMessage.ASSOCIATED_LINK);
    if (linkName != null) {
      services.links().touch(linkName);
    }
    var id = transaction(); // known before anything is staged
    try {
      findManaged();
      var submission = new ManagementRequests(this, request).toSubmission();
      if (submission == null) {
        return; // answered, or waiting in its transaction
      }
      if (id != null && TransactedRequest.concerns(submission.request())) {
        new TransactedRequest(this, submission).submit(id, Call.of(request, 0));
      } else {
        var whyNot = whyNot(submission);
        if (whyNot == null) {
          connection.submit(submission);
        } else {
          fail(Call.of(request, 0), 503, Throttle.BUSY.condition(), whyNot);
        }
      }
    } catch (BadManagementRequest bad) {
      TransactedRequest.wrong(this, id, bad);
      fail(Call.of(request, 0), bad.status(), bad.condition(), bad.sentence());
    }
  }

  /** The link may be older than the rights (amqp.md 7.1): then this looks for its entity. */
  private void findManaged() {
    if (managed != null) {
      return;
    }
    need(null);
    var catalogue = connection.edge().broker().catalogue();
    managed = managedIn(address.entryIn(catalogue));
    if (managed == null) {
      var why = RefusalConditions.of(catalogue.missing(), entity(), connection.errors());
      throw new BadManagementRequest(why.status(), why.condition(), why.sentence());
    }
  }

  /**
   * Why it has to wait: the namespace cannot pay for it (S-447), or there is no room for the
   * answer. Then, and when this fails, its bodies are given back. Null when it can go.
   */
  private @Nullable String whyNot(Submission submission) {
    var goes = false;
    try {
      if (!connection.edge().throttle().pay(costOf(submission.request()))) {
        return Throttle.BUSY.sentence();
      }
      goes = room.reserve(submission.request());
      return goes ? null : AnswerRoom.NONE;
    } finally {
      if (!goes) {
        submission.release();
      }
    }
  }

  /** S-446, for what carries no bodies; what is delivered is paid for when its count is known. */
  private static int costOf(Request request) {
    return switch (request) {
      case Request.Peek peek -> 1;
      case Request.ReceiveDeferred receive -> receive.sequenceNumbers().length;
      case Request.AddRule add -> Throttle.MANAGEMENT;
      case Request.RemoveRule remove -> Throttle.MANAGEMENT;
      case Request.ListRules list -> Throttle.MANAGEMENT;
      case Request.ListSessions list -> Throttle.MANAGEMENT;
      default -> 0; // who holds a lock must be able to settle or renew it
    };
  }

  @Override
  public boolean send(Call call, ByteBuf answer, boolean mustGo) {
    var link = replyLink(call.replyTo());
    if (link == null) {
      room.release(call);
      return false;
    }
    var hasRoom = room.fill(call, answer.readableBytes(), mustGo);
    if (hasRoom) {
      link.sendCounted(answer);
    } else {
      fail(call, 503, Throttle.BUSY.condition(), AnswerRoom.NONE);
    }
    return hasRoom;
  }

  @Override
  public void answered(Call call) {
    room.release(call);
  }

  @Override
  public void undelivered(MessageBurst messages) {
    var locks = messages.lockIds();
    if (locks != null) {
      connection.submit(Submission.of(new Request.Undelivered(port, locks, locks.length, 0)));
    }
  }

  @Override
  public void ended() {
    super.ended();
    room.end();
  }

  String entity() {
    return address.shown();
  }

  @Override
  public void onEffect(Effect effect, @Nullable Bodies bodies) {
    switch (effect) {
      case Effect.Renewed renewed -> {
        var call = (Call) renewed.ticket();
        if (call.count() == SessionRequests.RENEWAL) {
          sessionRenewed(call, renewed.lockedUntilMillis());
        } else {
          renewed(call, renewed.lockedUntilMillis());
        }
      }
      case Effect.Peeked peeked -> {
        var call = (Call) peeked.ticket();
        if (bodies == null) {
          room.release(call);
          noContent(call);
        } else {
          connection.edge().throttle().owe(peeked.messages().count() - 1);
          MessageListReply.send(this, call, peeked.messages(), bodies, false);
        }
      }
      case Effect.DeferredReceived received -> {
        var call = (Call) received.ticket();
        if (bodies == null) {
          room.release(call);
          emptyList(call);
        } else {
          MessageListReply.send(this, call, received.messages(), bodies, true);
        }
      }
      case Effect.Enlisted enlisted -> enlisted(enlisted, bodies);
      case Effect.SettleAnswered answered -> settled((Call) answered.ticket(), answered.refusals());
      case Effect.SendAnswered answered -> scheduled(answered);
      case Effect.SessionStateRead read ->
          SessionRequests.answer(this, (Call) read.ticket(), bodies);
      case Effect.SessionStateStored stored -> could(stored.ticket());
      case Effect.SessionsListed listed -> ((SessionListing) listed.ticket()).add(listed);
      case Effect.Cancelled cancelled -> could(cancelled.ticket());
      case Effect.MessagesDeleted deleted -> deleted((Call) deleted.ticket(), deleted.count());
      case Effect.RulesChanged changed -> ok((Call) changed.ticket(), out -> 0);
      case Effect.RulesListed listed -> rules((Call) listed.ticket(), listed.rules());
      case Effect.Refused refused -> refused(refused.ticket(), refused.refusal());
      default -> throw new IllegalStateException("not for a management node: " + effect);
    }
  }

  private void renewed(Call call, long lockedUntilMillis) {
    var expirations = new long[call.count()];
    Arrays.fill(expirations, lockedUntilMillis);
    ok(
        call,
        out -> {
          AmqpWriter.writeString(out, "expirations");
          AmqpWriter.writeTimestampArray(out, expirations);
          return 2;
        });
  }

  private void sessionRenewed(Call call, long lockedUntilMillis) {
    ok(
        call,
        out -> {
          AmqpWriter.writeString(out, "expiration");
          AmqpWriter.writeTimestamp(out, lockedUntilMillis);
          return 2;
        });
  }

  @Override
  public boolean hasSessions() {
    return definition().requiresSession() && !address.deadLetter();
  }

  /** The numbers of scheduled messages (S-149). */
  private void scheduled(Effect.SendAnswered answered) {
    var ticket = answered.ticket();
    var refusal = RefusalConditions.first(answered.refusals());
    var numbers = answered.sequenceNumbers();
    if (refusal != null) { // one refuses all
      refused(ticket, refusal);
    } else if (numbers == null) {
      throw new IllegalStateException("the numbers were asked for");
    } else if (ticket instanceof OpenTransaction.Question question && !isOver(question)) {
      numbers(question.call(), numbers);
      question.answered(numbers);
    } else if (ticket instanceof Call call) {
      numbers(call, numbers);
    }
  }

  /** It is done, or in a transaction can be at the commit. */
  private void could(Ticket ticket) {
    if (ticket instanceof OpenTransaction.Question question && !isOver(question)) {
      done(question.call());
      question.answered(null);
    } else if (ticket instanceof Call call) {
      done(call);
    }
  }

  /** Whether a transaction ended while its question was under way; then that is the answer. */
  private boolean isOver(OpenTransaction.Question question) {
    var transaction = question.transaction();
    if (!transaction.isClosed()) {
      return false;
    }
    fail(question.call(), transaction.whyClosed());
    transaction.arrived();
    return true;
  }

  private void numbers(Call call, long[] numbers) {
    ok(
        call,
        out -> {
          AmqpWriter.writeString(out, "sequence-numbers");
          AmqpWriter.writeLongArray(out, numbers);
          return 2;
        });
  }

  private void deleted(Call call, int count) {
    if (count == 0) {
      noContent(call, Conditions.MESSAGE_NOT_FOUND); // JavaScript takes none for an answer without
      return;
    }
    ok(
        call,
        out -> {
          AmqpWriter.writeString(out, "message-count");
          AmqpWriter.writeInt(out, count);
          return 2;
        });
  }

  /** All or none: clients take an answer with fewer than they asked for to be the last. */
  private void rules(Call call, List<Rule> rules) {
    if (rules.isEmpty()) {
      noContent(call);
      return;
    }
    var bytes = RuleForms.mostBytes(rules);
    var most = connection.holdings().mostInAnswer();
    if (bytes > most) {
      var sentence = " rules have more than the " + most + " bytes that one answer carries.";
      var advice = " Ask for fewer at a time, by 'skip' and 'top'";
      fail(call, 403, Conditions.MESSAGE_SIZE_EXCEEDED, rules.size() + sentence + advice);
      return;
    }
    var out = connection.channel().alloc().buffer((int) bytes + AnswerRoom.BESIDE_BYTES);
    try {
      Reply.beginOk(out, call.messageId());
      var map = AmqpWriter.beginMap(out);
      AmqpWriter.writeString(out, "rules");
      RuleForms.write(out, rules);
      AmqpWriter.endMap(out, map, 2);
      send(call, out, false);
    } finally {
      out.release();
    }
  }

  private void settled(Call call, @Nullable Refusal @Nullable [] refusals) {
    var refusal = RefusalConditions.first(refusals);
    if (refusal == null) {
      done(call);
    } else {
      refused(call, refusal);
    }
  }

  /** The locks are kept for the transaction, or it has failed (S-403). */
  private void enlisted(Effect.Enlisted effect, @Nullable Bodies earlier) {
    var enlisting = (OpenTransaction.Enlisting) effect.ticket();
    var refusal = RefusalConditions.first(effect.refusals());
    var problem =
        enlisting
            .transaction()
            .enlisted(effect, refusal == null ? null : problem(refusal), earlier);
    if (earlier != null) {
      earlier.release();
    }
    var call = (Call) enlisting.asked();
    if (refusal == null && problem != null) {
      fail(call, problem);
    } else {
      settled(call, effect.refusals());
    }
  }

  private MessageProblem problem(Refusal refusal) {
    return RefusalConditions.problem(refusal, entity(), connection.errors());
  }

  /** Answers 200 with nothing more to say. */
  void done(Call call) {
    ok(call, out -> 0);
  }

  @Override
  public void fail(Call call, MessageProblem problem) {
    fail(call, 400, problem.condition(), problem.sentence());
  }

  @Override
  public void ok(Call call, ToIntFunction<ByteBuf> entries) {
    reply(call.replyTo(), Reply.ofManagement(call.messageId(), 200, "OK", null, entries));
  }

  @Override
  public void noContent(Call call) {
    noContent(call, null);
  }

  private void noContent(Call call, @Nullable String condition) {
    reply(
        call.replyTo(),
        Reply.ofManagement(call.messageId(), 204, "No Content", condition, out -> 0));
  }

  @Override
  public void emptyList(Call call) {
    ok(
        call,
        out -> {
          AmqpWriter.writeString(out, "messages");
          AmqpWriter.endList(out, AmqpWriter.beginList(out), 0);
          return 2;
        });
  }

  private void refused(Ticket ticket, Refusal refusal) {
    if (ticket instanceof OpenTransaction.Enlisting enlisting) {
      enlisting.transaction().notEnlisted(problem(refusal));
      refused((Call) enlisting.asked(), refusal);
    } else if (ticket instanceof OpenTransaction.Question question) {
      question.transaction().fail(problem(refusal));
      question.transaction().arrived();
      refused(question.call(), refusal);
    } else {
      var call = ticket instanceof SessionListing listing ? listing.call() : (Call) ticket;
      room.release(call);
      refused(call, refusal);
    }
  }

  private void refused(Call call, Refusal refusal) {
    var shape = RefusalConditions.of(refusal, entity(), connection.errors());
    fail(call, shape.status(), shape.condition(), shape.sentence());
  }

  void fail(Call call, int status, String condition, String sentence) {
    var text = connection.errors().text(condition, sentence, entity());
    reply(call.replyTo(), Reply.ofManagement(call.messageId(), status, text, condition, out -> 0));
  }
}
