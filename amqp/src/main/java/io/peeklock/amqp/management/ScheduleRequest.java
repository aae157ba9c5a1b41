package io.peeklock.amqp.management;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.messaging.TransactionId;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.amqp.message.SendRun;
import io.peeklock.amqp.message.SendTarget;
import io.peeklock.amqp.request.Call;
import io.peeklock.amqp.request.RequestMessage;
import io.peeklock.amqp.transaction.OpenTransaction;
import io.peeklock.amqp.transaction.Transactions;
import io.peeklock.kernel.request.Request;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.access.Right;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The management request that schedules messages (S-149): encoded messages, each with the time that
 * it is due among its annotations; all or none. One that is due already is enqueued at once, and
 * its number is told as well (amqp.md 7.2).
 */
final class ScheduleRequest {
  private final ManagementNode node;
  private final RequestMessage request;

  ScheduleRequest(ManagementNode node, RequestMessage request) {
    this.node = node;
    this.request = request;
  }

  /** Takes the message that was inspected last; what is wrong with it, or null. */
  private interface Place {
    @Nullable MessageProblem take(MessageNormalizer normalizer, int length);
  }

  /**
   * The request for the shard, with its bodies staged; or makes it part of its transaction.
   *
   * @return null when it is answered later
   * @throws BadRequest when it cannot be granted
   */
  @Nullable Submission toSubmission() {
    node.need(Right.SEND);
    var messages = RequestBody.of(request).items("messages");
    if (messages.isEmpty()) {
      throw BadManagementRequest.argument("'messages' is empty");
    }
    var id = node.transaction();
    if (id != null) {
      enter(id, messages);
      return null;
    }
    var loopContext = node.host().loopContext();
    var run = new SendRun(node.definition(), loopContext.messageIds);
    var call = Call.of(request, messages.size());
    return Submission.of(
        loopContext.stageAtOnce(arena -> stageAll(messages, run, arena)),
        () -> new Request.Send(node.port(), call, node.queue(), run.burst(), true, true));
  }

  /** S-160: the messages wait for the commit, their numbers are given now. */
  private void enter(TransactionId id, List<?> messages) {
    var transaction = node.transactions().find(id);
    var problem = transaction == null ? Transactions.UNKNOWN : transaction.enter(node.asLink());
    if (transaction == null || problem != null) {
      throw failed(transaction, problem == null ? Transactions.UNKNOWN : problem);
    }
    var target = new SendTarget(node.queue(), null, node.definition());
    problem = take(messages, (normalizer, length) -> transaction.send(target, normalizer, length));
    if (problem != null) {
      throw failed(transaction, problem);
    }
    var call = Call.of(request, messages.size());
    transaction.number(node.queue(), messages.size(), node.port(), call);
  }

  private static BadManagementRequest failed(
      @Nullable OpenTransaction transaction, MessageProblem problem) {
    if (transaction != null) {
      transaction.fail(problem);
    }
    return refused(problem);
  }

  private static BadManagementRequest refused(MessageProblem problem) {
    var status =
        switch (problem.condition()) {
          case Conditions.MESSAGE_SIZE_EXCEEDED -> 403;
          case Conditions.SERVER_BUSY -> 503;
          default -> 400;
        };
    return new BadManagementRequest(status, problem.condition(), problem.sentence());
  }

  /** Paid for when all are as they must be, in a transaction too (S-446). */
  private @Nullable MessageProblem take(List<?> messages, Place place) {
    var problem = stage(messages, place);
    return problem == null
        ? node.host().edge().charge(messages.size(), node.address().entity())
        : problem;
  }

  private @Nullable MessageProblem stage(List<?> messages, Place place) {
    for (var entry : messages) {
      var problem =
          entry instanceof Map<?, ?> map && map.get("message") instanceof byte[] bytes
              ? stage(bytes, place)
              : new MessageProblem(
                  Conditions.ARGUMENT_ERROR, "'messages' must be of maps with a binary 'message'");
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private @Nullable MessageProblem stage(byte[] bytes, Place place) {
    var most = Math.min(MessageNormalizer.LARGEST_IN_MEMORY, node.definition().maxMessageBytes());
    if (bytes.length > most) {
      return new MessageProblem(
          Conditions.MESSAGE_SIZE_EXCEEDED,
          "A message to be scheduled has "
              + bytes.length
              + " bytes, which is more than the allowed "
              + most);
    }
    var normalizer = node.host().loopContext().normalizer;
    var wrong = normalizer.inspect(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
    return wrong == null ? place.take(normalizer, bytes.length) : wrong;
  }

  private void stageAll(List<?> messages, SendRun run, BodyArena arena) {
    Place place =
        (normalizer, length) -> {
          run.stage(arena, normalizer, length, 0, false);
          return null;
        };
    var problem = take(messages, place);
    if (problem != null) {
      throw refused(problem);
    }
  }
}
