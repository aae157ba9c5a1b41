package io.peeklock.amqp;

import io.netty.buffer.Unpooled;
import io.peeklock.kernel.Request;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Submission;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The management request that schedules messages (S-149): encoded messages, each with the time that
 * it is due among its annotations; all or none. One that is due already is enqueued at once, and
 * its number is told as well (amqp.md 7.2).
 */
final class ScheduleRequest {
  private static final int LARGEST = BodyArena.LARGE_BODY_BYTES - MessageCleaner.MAX_GROWTH;

  private final ManagementLink link;
  private final RequestMessage request;

  ScheduleRequest(ManagementLink link, RequestMessage request) {
    this.link = link;
    this.request = request;
  }

  /**
   * The request for the shard, with its bodies staged.
   *
   * @throws ManagementRequests.BadRequest when it cannot be granted
   */
  Submission toSubmission() {
    ManagementRequests.needSend(link);
    var messages = ManagementRequests.items(ManagementRequests.body(request), "messages");
    if (messages.isEmpty()) {
      throw ManagementRequests.argument("'messages' is empty");
    }
    var desk = link.connection.desk();
    var run = new SendRun(link.definition, desk.messageIds);
    desk.useArenaAtOnce();
    var problem = stage(messages, run);
    var staged = desk.arena.end();
    if (problem != null) {
      staged.release();
      var status = problem.condition().equals(Conditions.MESSAGE_SIZE_EXCEEDED) ? 403 : 400;
      throw new ManagementRequests.BadRequest(status, problem.condition(), problem.sentence());
    }
    var call = ManagementLink.callOf(request, messages.size());
    var send = new Request.Send(link.port(), call, link.queue, run.burst(), true, true);
    return new Submission(send, staged, null);
  }

  private @Nullable MessageProblem stage(List<?> messages, SendRun run) {
    for (var entry : messages) {
      var problem =
          entry instanceof Map<?, ?> map && map.get("message") instanceof byte[] bytes
              ? stage(bytes, run)
              : new MessageProblem(
                  Conditions.ARGUMENT_ERROR, "'messages' must be of maps with a binary 'message'");
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private @Nullable MessageProblem stage(byte[] bytes, SendRun run) {
    var most = Math.min(LARGEST, link.definition.maxMessageBytes());
    if (bytes.length > most) {
      return new MessageProblem(
          Conditions.MESSAGE_SIZE_EXCEEDED,
          "A message to be scheduled has "
              + bytes.length
              + " bytes, which is more than the allowed "
              + most);
    }
    var desk = link.connection.desk();
    var wrong = desk.cleaner.inspect(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
    if (wrong != null) {
      return wrong;
    }
    var out = desk.arena.reserve(bytes.length + MessageCleaner.MAX_GROWTH);
    var start = out.position();
    run.note(desk.cleaner);
    desk.cleaner.write(out);
    run.wrote(out, start, desk.cleaner);
    run.add(out.position() - start, 0, false);
    desk.arena.commit();
    return null;
  }
}
