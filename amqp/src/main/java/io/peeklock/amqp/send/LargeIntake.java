package io.peeklock.amqp.send;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.ValueCheck;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import io.peeklock.amqp.limit.LargeShare;
import io.peeklock.amqp.limit.ReadPauses;
import io.peeklock.amqp.link.SlowInput;
import io.peeklock.amqp.message.BodyStream;
import io.peeklock.amqp.message.MessageNormalizer;
import io.peeklock.amqp.message.SendRun;
import io.peeklock.amqp.transaction.OpenTransaction;
import io.peeklock.kernel.entity.QueueDefinition;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A large message that is written to its own file as its frames arrive. All sections before the
 * body must be within the first {@value #MAX_HEAD_BYTES} bytes; they are normalised as in any
 * message. The body passes through a {@link BodyStream}.
 */
public final class LargeIntake {
  /** Well above what properties may take (S-074), well below one piece of a delivery. */
  static final int MAX_HEAD_BYTES = 128 << 10;

  private static final long BACKLOG_HIGH_BYTES = 1 << 20;

  private final ProducerLink link;
  private final LargeBody.Writer writer;
  private final BodyStream body;
  private final SendRun run;
  private final LargeShare share;
  private final long mostOfAll;
  private long counted;
  private boolean finishing;
  private boolean aborted;

  LargeIntake(ProducerLink link, QueueDefinition definition) {
    this.link = link;
    this.run = new SendRun(definition, link.connection.loopContext().messageIds);
    this.share = link.connection.larges();
    var arena = link.connection.loopContext().arena;
    this.mostOfAll = arena.mostLargeBytes();
    this.writer = arena.openLarge(definition.maxMessageBytes() + MessageNormalizer.MAX_GROWTH);
    this.body = new BodyStream(writer::write);
    writer.whenRoom(link.port(), () -> link.connection.resume(ReadPauses.LARGE_BODY));
    writer.givesWay(
        new SlowInput(link.connection) {
          @Override
          public void refuse() {
            link.detach(Conditions.RESOURCE_LIMIT_EXCEEDED, SENTENCE);
          }
        });
  }

  /**
   * Takes the beginning, which has all sections before the body; returns why it is refused, or
   * null.
   */
  @Nullable MessageProblem begin(ByteBuf first) {
    var start = first.readerIndex();
    try {
      var bodyAt = findBody(first);
      if (bodyAt < 0 || bodyAt - start > MAX_HEAD_BYTES) {
        return new MessageProblem(
            Conditions.ARGUMENT_OUT_OF_RANGE,
            "The annotations and properties of a large message must lie within its first "
                + MAX_HEAD_BYTES
                + " bytes");
      }
      var normalizer = link.connection.loopContext().normalizer;
      var wrong = normalizer.inspect(first, start, bodyAt - start);
      if (wrong != null) {
        return wrong;
      }
      run.note(normalizer);
      var head = ByteBuffer.allocate(bodyAt - start + MessageNormalizer.MAX_GROWTH);
      normalizer.write(head);
      run.wrote(head, 0, normalizer);
      writer.write(head.flip());
      return write(first, bodyAt, first.writerIndex() - bodyAt);
    } catch (AmqpDecodeException wrong) {
      return malformed(String.valueOf(wrong.getMessage()));
    }
  }

  /** The absolute index of the first body section, or -1. */
  private static int findBody(ByteBuf first) {
    var reader = new AmqpReader();
    var check = new ValueCheck();
    check.start(MAX_HEAD_BYTES);
    var end = first.writerIndex();
    var at = first.readerIndex();
    while (at < end) {
      reader.reset(first, at, end - at);
      var code = reader.readDescriptor();
      if (code >= Descriptor.DATA && code <= Descriptor.AMQP_VALUE) {
        return at;
      }
      if (code < Descriptor.HEADER || code > Descriptor.APPLICATION_PROPERTIES) {
        return -1;
      }
      at = check.check(first, reader.position(), end);
      if (at < 0) {
        throw new AmqpDecodeException(check.problem());
      }
    }
    return -1;
  }

  /** Takes the payload of one more frame; returns why it is refused, or null. */
  @Nullable MessageProblem write(ByteBuf buffer, int offset, int length) {
    if (!share.take(counted, length, mostOfAll)) {
      return LargeShare.FULL;
    }
    counted += length;
    var wrong = length == 0 ? null : body.take(buffer.nioBuffer(offset, length));
    if (wrong != null) {
      return malformed(wrong);
    }
    if (writer.backlogBytes() > BACKLOG_HIGH_BYTES) {
      link.connection.pause(ReadPauses.LARGE_BODY);
    }
    return null;
  }

  private static MessageProblem malformed(String why) {
    return new MessageProblem(Conditions.DECODE_ERROR, "The message is not well-formed: " + why);
  }

  boolean isFinishing() {
    return finishing;
  }

  /**
   * Ends the message: syncs it and then sends it to the shard; returns why it is refused, or null.
   */
  @Nullable MessageProblem finish(
      int deliveryId, boolean settled, @Nullable OpenTransaction transaction) {
    var wrong = body.atEnd();
    if (wrong != null) {
      return malformed(wrong);
    }
    var port = link.port();
    if (transaction != null) {
      transaction.awaits();
    }
    finishing = true; // the writer now ends by itself
    writer.finish(port, staged -> finished(staged, deliveryId, settled, transaction));
    return null;
  }

  private void finished(
      LargeBody.@Nullable Staged staged,
      int deliveryId,
      boolean settled,
      @Nullable OpenTransaction transaction) {
    share.give(counted);
    if (aborted) {
      if (staged != null) {
        staged.release();
      }
      if (transaction != null) {
        transaction.fail(
            new MessageProblem(
                Conditions.DETACH_FORCED, "The link of a message ended before it was stored"));
        transaction.arrived();
      }
      return;
    }
    var bodies = noted(staged, deliveryId, settled, transaction == null);
    finishing = false;
    if (transaction == null) {
      link.largeStaged(bodies, run, deliveryId, settled);
    } else {
      link.largeEntered(transaction, staged, run, deliveryId, settled);
    }
  }

  /**
   * Stages the large body; if this throws the body is dropped.
   *
   * @param asRun whether it gets a run of its own
   */
  private @Nullable StagedBodies noted(
      LargeBody.@Nullable Staged staged, int deliveryId, boolean settled, boolean asRun) {
    try {
      var size = staged == null ? 1 : (int) Math.min(Integer.MAX_VALUE, staged.length());
      run.add(size, deliveryId, settled);
      if (staged == null || !asRun) {
        return null;
      }
      link.submitNow();
      return link.connection.loopContext().stageAtOnce(arena -> arena.commit(staged));
    } catch (RuntimeException | Error fault) {
      if (staged != null) {
        staged.release();
      }
      throw fault;
    }
  }

  void abort() {
    aborted = true;
    if (!finishing) {
      share.give(counted);
      writer.abort();
    }
    link.connection.resume(ReadPauses.LARGE_BODY);
  }
}
