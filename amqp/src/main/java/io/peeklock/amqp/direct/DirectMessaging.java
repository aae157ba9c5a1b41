package io.peeklock.amqp.direct;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.peeklock.amqp.AmqpEdge;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.limit.ReceiverCounts;
import io.peeklock.amqp.limit.Throttle;
import io.peeklock.amqp.link.EntityAddress;
import io.peeklock.amqp.link.EventLoopContext;
import io.peeklock.amqp.message.BareMessage;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.amqp.message.SendRun;
import io.peeklock.kernel.Invariant;
import io.peeklock.kernel.effect.Effect;
import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.entity.QueueRole;
import io.peeklock.kernel.refusal.Refusal;
import io.peeklock.kernel.request.Request;
import io.peeklock.kernel.request.Settlement;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.message.Answer;
import io.peeklock.runtime.message.Answer.Misfit;
import io.peeklock.runtime.message.BodyIntake;
import io.peeklock.runtime.message.Messages;
import io.peeklock.runtime.message.OutgoingMessage;
import io.peeklock.runtime.message.ReceiveOrder;
import io.peeklock.runtime.message.ReceivedMessage;
import io.peeklock.runtime.thread.AnyThread;
import io.peeklock.runtime.thread.EventLoopThread;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Messages for those who have no link: written and read here as a client of this wire would, so
 * that who sends in one way and receives in the other sees the same message (S-084).
 */
@AnyThread
public final class DirectMessaging implements Messages {
  private final AmqpEdge edge;
  private final EventExecutorGroup loops;
  private final long mostBytes;
  private final Map<EventExecutor, DirectEndpoint.Place> places = new ConcurrentHashMap<>();
  private final Set<DirectEndpoint> waiting = ConcurrentHashMap.newKeySet();

  /**
   * Messaging beside the links of an edge; both share lock tokens.
   *
   * @param loops that requests may live on; those made on one of them stay there
   */
  public DirectMessaging(AmqpEdge edge, EventExecutorGroup loops) {
    this(edge, loops, Long.MAX_VALUE);
  }

  /**
   * The same with a bound of its own.
   *
   * @param mostBytes of a message, where its entity would take a larger one (S-431)
   */
  public DirectMessaging(AmqpEdge edge, EventExecutorGroup loops, long mostBytes) {
    this.edge = edge;
    this.loops = loops;
    this.mostBytes = mostBytes;
  }

  /**
   * Answers all who wait with a sentence, for a shutdown or lost leadership; what they asked for
   * may have happened or not.
   */
  public void dropAll(String sentence) {
    waiting.forEach(each -> each.dropped(sentence));
  }

  private <E extends DirectEndpoint> E waits(E asker, CompletableFuture<?> answer) {
    waiting.add(asker);
    var unused = answer.whenComplete((given, failed) -> waiting.remove(asker));
    return asker;
  }

  private DirectEndpoint.Place here() {
    for (var loop : loops) {
      if (loop.inEventLoop()) {
        return placeOf(loop);
      }
    }
    return placeOf(loops.next());
  }

  private DirectEndpoint.Place placeOf(EventExecutor loop) {
    return places.computeIfAbsent(
        loop, key -> new DirectEndpoint.Place(key, edge.contextOf(key), edge));
  }

  private static Catalogue.@Nullable Entry entryOf(EntityAddress address, Catalogue catalogue) {
    if (address.entity().length() > EntityAddress.MAX_CHARS) {
      return null;
    }
    if (address.management() || address.cbs() || address.transferDeadLetter()) {
      return null;
    }
    return catalogue.queue(address.entity());
  }

  private static boolean hasSessions(Catalogue.Entry entry, EntityAddress address) {
    return entry.definition().requiresSession() && !address.deadLetter();
  }

  private static <T> Answer<T> missing(Catalogue catalogue) {
    return new Answer.Refused<>(catalogue.missing());
  }

  // --- send ---

  @Override
  public CompletableFuture<Answer<Integer>> send(String address, List<OutgoingMessage> messages) {
    var answer = new CompletableFuture<Answer<Integer>>();
    var at = here();
    at.run(answer, () -> send(at, EntityAddress.parse(address), messages, answer));
    return answer;
  }

  @EventLoopThread
  private void send(
      DirectEndpoint.Place at,
      EntityAddress address,
      List<OutgoingMessage> messages,
      CompletableFuture<Answer<Integer>> answer) {
    var catalogue = edge.broker().catalogue();
    var entry = entryOf(address, catalogue);
    if (entry == null) {
      answer.complete(missing(catalogue));
      return;
    }
    Answer<Integer> not = whyNotSent(at, entry, address);
    if (not == null) {
      stage(at, entry, messages, answer);
    } else {
      answer.complete(not);
    }
  }

  @EventLoopThread
  private static <T> @Nullable Answer<T> whyNotSent(
      DirectEndpoint.Place at, Catalogue.Entry entry, EntityAddress address) {
    if (address.deadLetter() || entry.definition().role() instanceof QueueRole.Subscription) {
      return new Answer.Unfit<>(
          Misfit.NOT_FOR_SENDING,
          "Messages cannot be sent to a dead-letter queue or a subscription directly");
    }
    return at.isFull()
        ? new Answer.Unfit<>(Misfit.BUSY, "The broker is busy. A retry helps")
        : null;
  }

  @Override
  @EventLoopThread
  public Answer<BodyIntake> begin(String address, OutgoingMessage message, long bodyBytes) {
    var at = here();
    var to = EntityAddress.parse(address);
    var catalogue = edge.broker().catalogue();
    var entry = entryOf(to, catalogue);
    if (entry == null) {
      return missing(catalogue);
    }
    Answer<BodyIntake> not = whyNotSent(at, entry, to);
    if (not != null) {
      return not;
    }
    if (!entry.definition().status().takesSends()) {
      return new Answer.Refused<>(new Refusal.EntityDisabled());
    }
    var send = largeSend(at, entry, new CompletableFuture<>());
    Answer<BodyIntake> wrong = send.begin(message, bodyBytes);
    if (wrong == null) {
      return new Answer.Given<>(send);
    }
    send.abort();
    return wrong;
  }

  private LargeSend largeSend(
      DirectEndpoint.Place at, Catalogue.Entry entry, CompletableFuture<Answer<Integer>> answer) {
    var asker = waits(new SingleReply<>(at, answer, effect -> 1), answer);
    return new LargeSend(asker, entry, mostOf(entry), answer);
  }

  private long mostOf(Catalogue.Entry entry) {
    return Math.min(mostBytes, entry.definition().maxMessageBytes());
  }

  @EventLoopThread
  private void stage(
      DirectEndpoint.Place at,
      Catalogue.Entry entry,
      List<OutgoingMessage> messages,
      CompletableFuture<Answer<Integer>> answer) {
    var encoded = Unpooled.buffer(1_024);
    var ends = new int[messages.size()];
    var problem = encode(messages, encoded, ends);
    if (problem == null) {
      problem = tooLarge(entry, ends);
    }
    if (problem == null && ends[0] > MessageNormalizer.LARGEST_IN_MEMORY) { // the only one
      stageLarge(at, entry, messages.getFirst(), answer);
      return;
    }
    for (var i = 0; i < ends.length && problem == null; i++) {
      problem = inspect(at.loopContext, encoded, ends, i);
    }
    if (problem == null) {
      problem = edge.charge(ends.length, entry.definition().path());
    }
    if (problem != null) {
      answer.complete(unfit(problem));
      return;
    }
    var run = new SendRun(entry.definition(), at.loopContext.messageIds);
    var count = ends.length;
    var asker = waits(new SingleReply<>(at, answer, effect -> count), answer);
    var staged =
        at.loopContext.stageAtOnce(
            arena -> {
              for (var i = 0; i < ends.length; i++) {
                var again = inspect(at.loopContext, encoded, ends, i);
                Invariant.check(again == null, "what was good is good");
                run.stage(arena, at.loopContext.normalizer, lengthOf(ends, i), 0, false);
              }
            });
    asker.submit(
        Submission.of(
            staged,
            () -> new Request.Send(asker, SingleReply.TICKET, entry.queue(), run.burst(), true)));
  }

  private void stageLarge(
      DirectEndpoint.Place at,
      Catalogue.Entry entry,
      OutgoingMessage message,
      CompletableFuture<Answer<Integer>> answer) {
    var send = largeSend(at, entry, answer);
    var body = message.body().duplicate();
    Answer<Integer> wrong;
    try {
      wrong = send.begin(message, body.remaining());
      if (wrong == null) {
        send.write(body);
        send.finish();
      }
    } catch (RuntimeException | Error fault) {
      send.drop();
      throw fault;
    }
    if (wrong != null) {
      answer.complete(wrong);
    }
  }

  private @Nullable MessageProblem encode(List<OutgoingMessage> messages, ByteBuf out, int[] ends) {
    var now = edge.settings().clock().wallMillis();
    MessageProblem problem = null;
    for (var i = 0; i < ends.length && problem == null; i++) {
      problem = BareMessage.write(out, messages.get(i), now);
      ends[i] = out.writerIndex();
    }
    return problem;
  }

  /** Several of them together are held in memory, and no larger than a message may be. */
  private @Nullable MessageProblem tooLarge(Catalogue.Entry entry, int[] ends) {
    var most =
        ends.length == 1
            ? mostOf(entry)
            : Math.min(MessageNormalizer.LARGEST_IN_MEMORY, mostOf(entry));
    var bytes = ends[ends.length - 1];
    return bytes > most ? tooLarge(bytes, most) : null;
  }

  static MessageProblem tooLarge(long bytes, long most) {
    return new MessageProblem(
        Conditions.MESSAGE_SIZE_EXCEEDED,
        "What is sent has " + bytes + " bytes, which is more than the allowed " + most);
  }

  private static @Nullable MessageProblem inspect(
      EventLoopContext loopContext, ByteBuf encoded, int[] ends, int i) {
    var length = lengthOf(ends, i);
    return loopContext.normalizer.inspect(encoded, ends[i] - length, length);
  }

  private static int lengthOf(int[] ends, int i) {
    return i == 0 ? ends[0] : ends[i] - ends[i - 1];
  }

  static <T> Answer<T> unfit(MessageProblem problem) {
    var misfit =
        switch (problem.condition()) {
          case Conditions.MESSAGE_SIZE_EXCEEDED -> Misfit.TOO_LARGE;
          case Conditions.SERVER_BUSY -> Misfit.BUSY;
          default -> Misfit.MALFORMED;
        };
    return new Answer.Unfit<>(misfit, problem.sentence());
  }

  // --- receive ---

  @Override
  public CompletableFuture<Answer<Optional<ReceivedMessage>>> receive(ReceiveOrder order) {
    var answer = new CompletableFuture<Answer<Optional<ReceivedMessage>>>();
    var at = here();
    at.run(answer, () -> receive(at, order, answer));
    return answer;
  }

  @EventLoopThread
  private void receive(
      DirectEndpoint.Place at,
      ReceiveOrder order,
      CompletableFuture<Answer<Optional<ReceivedMessage>>> answer) {
    var address = EntityAddress.parse(order.address());
    var catalogue = edge.broker().catalogue();
    var entry = entryOf(address, catalogue);
    var queue = address.queueIn(entry);
    if (entry == null || queue == null) {
      answer.complete(missing(catalogue));
      return;
    }
    var why = whyNotReceived(entry, address);
    if (why != null) {
      answer.complete(new Answer.Unfit<>(Misfit.NOT_FOR_RECEIVING, why));
      return;
    }
    if (edge.throttle().isOn() && edge.throttle().left() == 0) { // S-447
      answer.complete(unfit(Throttle.BUSY));
      return;
    }
    var receivers = edge.receivers();
    var countedBy = ReceiverCounts.keyOf(entry.definition());
    if (!receivers.enter(countedBy)) { // S-439
      var many = new Refusal.TooMany("receivers of " + countedBy, receivers.most());
      answer.complete(new Answer.Refused<>(many));
      return;
    }
    var unused = answer.whenComplete((given, failed) -> receivers.leave(countedBy));
    waits(new SingleReceive(at, queue, order.mode(), answer), answer).begin(order.waitMillis());
  }

  @Override
  public CompletableFuture<Answer<List<ReceivedMessage>>> peek(
      String address, long fromSequenceNumber, int most) {
    var answer = new CompletableFuture<Answer<List<ReceivedMessage>>>();
    var at = here();
    at.run(
        answer,
        () -> {
          var where = EntityAddress.parse(address);
          var catalogue = edge.broker().catalogue();
          var queue = where.queueIn(entryOf(where, catalogue));
          if (queue == null) {
            answer.complete(missing(catalogue));
          } else {
            waits(new DirectPeek(at, answer), answer).begin(queue, fromSequenceNumber, most);
          }
        });
    return answer;
  }

  private static @Nullable String whyNotReceived(Catalogue.Entry entry, EntityAddress address) {
    var definition = entry.definition();
    if (definition.role() instanceof QueueRole.Topic) {
      return "Messages cannot be received from a topic, only from its subscriptions";
    }
    var destination =
        address.deadLetter() ? definition.forwardDeadLettersTo() : definition.forwardTo();
    if (destination != null) { // S-199, S-289
      return "Messages cannot be received here, because they are forwarded to '"
          + destination
          + "'";
    }
    return hasSessions(entry, address) // S-233
        ? "It is not possible for an entity that requires sessions to create a non-sessionful"
            + " message receiver"
        : null;
  }

  // --- locks ---

  @Override
  public CompletableFuture<Answer<Settlement>> settle(
      String address, UUID token, Settlement settlement) {
    return locked(
        address,
        token,
        effect -> settlement,
        (asker, queue, lock) ->
            new Request.Settle(
                asker, SingleReply.TICKET, queue, settlement, new long[] {lock}, 1, true, null));
  }

  @Override
  public CompletableFuture<Answer<Instant>> renew(String address, UUID token) {
    return locked(
        address,
        token,
        effect -> Instant.ofEpochMilli(((Effect.Renewed) effect).lockedUntilMillis()),
        (asker, queue, lock) ->
            new Request.Renew(asker, SingleReply.TICKET, queue, new long[] {lock}));
  }

  /** Makes the request about a lock of a queue. */
  private interface OfLock {
    Request request(DirectEndpoint asker, QueueId queue, long lockId);
  }

  private <T> CompletableFuture<Answer<T>> locked(
      String address, UUID token, Function<Effect, T> granted, OfLock ofLock) {
    var answer = new CompletableFuture<Answer<T>>();
    var at = here();
    at.run(
        answer,
        () -> {
          var where = EntityAddress.parse(address);
          var catalogue = edge.broker().catalogue();
          var entry = entryOf(where, catalogue);
          var queue = where.queueIn(entry);
          if (entry == null || queue == null) {
            answer.complete(missing(catalogue));
          } else if (hasSessions(entry, where)) { // who has no session holds none
            answer.complete(new Answer.Refused<>(new Refusal.SessionLockLost()));
          } else {
            var asker = waits(new SingleReply<>(at, answer, granted), answer);
            asker.submit(ofLock.request(asker, queue, at.loopContext.tokens.lockOf(token)));
          }
        });
    return answer;
  }
}
