package io.peeklock.amqp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.limits.EngineConfig;
import io.peeklock.amqp.engine.link.AmqpLink;
import io.peeklock.amqp.engine.link.AttachReply;
import io.peeklock.amqp.engine.link.IncomingTransfer;
import io.peeklock.amqp.engine.link.ReceivingLink;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.engine.messaging.Outcome;
import io.peeklock.amqp.engine.messaging.PeerState;
import io.peeklock.amqp.engine.sasl.SaslInit;
import io.peeklock.amqp.engine.session.AmqpSession;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The steady paths make no garbage: a message in and its answer, a message out and its settlement.
 */
class GarbageTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int WARM_UP = 30_000;
  private static final int ROUNDS = 100_000;
  private static final int MOST_MEASUREMENTS = 5;

  @Test
  void aMessageInAndItsAnswerCostLessThanAByteOfHeap() {
    var edge = new QuietEdge();
    AmqpEngine engine = opened(edge, ClientFrames.attachSender(1, 0, "s"));
    Objects.requireNonNull(edge.receiving).autoCredit(1000);
    ByteBuf frame = Unpooled.wrappedBuffer(ClientFrames.transfer(1, 0, 1000, false, new byte[64]));
    int idAt = indexOf(frame, 1000);

    long perRound =
        garbagePerRound(
            engine,
            round -> {
              frame.setInt(idAt, round).readerIndex(0);
              engine.ingest(frame, 0);
            });

    assertThat(edge.transfers).isGreaterThanOrEqualTo(WARM_UP + ROUNDS);
    assertThat(perRound).isZero();
  }

  @Test
  void aMessageOutAndItsSettlementCostLessThanAByteOfHeap() {
    var edge = new QuietEdge();
    AmqpEngine engine = opened(edge, ClientFrames.attachReceiver(1, 0, "r"));
    SendingLink link = Objects.requireNonNull(edge.sending);
    feed(engine, ClientFrames.flow(1, 0, Integer.MAX_VALUE, 0, 0, 0xfff_ffffL, false, false));
    ByteBuf frame =
        Unpooled.wrappedBuffer(
            ClientFrames.disposition(1, 1000, null, false, ClientFrames.accepted()));
    int idAt = indexOf(frame, 1000);

    long perRound =
        garbagePerRound(
            engine,
            round -> {
              link.beginDelivery(round, 1, 2, false).writeLong(round);
              frame.setInt(idAt, link.endDelivery()).readerIndex(0);
              engine.ingest(frame, 0);
            });

    assertThat(edge.dispositions).isGreaterThanOrEqualTo(WARM_UP + ROUNDS);
    assertThat(link.unsettledCount()).isZero();
    assertThat(perRound).isZero();
  }

  /** One round of work. */
  @FunctionalInterface
  private interface Work {
    void round(int number);
  }

  private static long garbagePerRound(AmqpEngine engine, Work work) {
    run(engine, 0, WARM_UP, work);
    long least = Long.MAX_VALUE;
    // On a busy machine the compiler may be late; what stays garbage then stays it every time.
    for (int i = 0; i < MOST_MEASUREMENTS && least > 0; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      run(engine, WARM_UP + i * ROUNDS, ROUNDS, work);
      least = Math.min(least, (THREADS.getCurrentThreadAllocatedBytes() - before) / ROUNDS);
    }
    return least;
  }

  /** Takes the output seldom: Netty makes a little garbage for each buffer, and is not on trial. */
  private static void run(AmqpEngine engine, int from, int rounds, Work work) {
    for (int i = 0; i < rounds; i++) {
      work.round(from + i);
      if (i % 1024 == 1023) {
        ByteBuf out = engine.takeOutput();
        if (out != null) {
          out.release();
        }
      }
    }
  }

  private static AmqpEngine opened(EngineListener edge, byte[] attach) {
    var engine =
        new AmqpEngine(
            EngineConfig.defaults("x").withSaslRequired(false),
            PooledByteBufAllocator.DEFAULT,
            edge,
            0,
            null);
    feed(engine, ClientFrames.hex(ClientFrames.AMQP_HEADER));
    feed(engine, ClientFrames.open());
    feed(engine, ClientFrames.begin(1, Integer.MAX_VALUE));
    feed(engine, attach);
    return engine;
  }

  private static void feed(AmqpEngine engine, byte[] bytes) {
    engine.ingest(Unpooled.wrappedBuffer(bytes), 0);
  }

  private static int indexOf(ByteBuf frame, int value) {
    for (int i = 0; i < frame.writerIndex() - 3; i++) {
      if (frame.getInt(i) == value) {
        return i;
      }
    }
    throw new AssertionError("not in the frame: " + value);
  }

  /** An edge that answers at once and allocates nothing. */
  private static final class QuietEdge implements EngineListener {
    private @Nullable ReceivingLink receiving;
    private @Nullable SendingLink sending;
    private int transfers;
    private int dispositions;

    @Override
    public void onSaslInit(SaslInit init) {}

    @Override
    public void onOpen(PeerOpen open) {}

    @Override
    public void onBegin(AmqpSession session) {}

    @Override
    public void onEnd(AmqpSession session, @Nullable AmqpError error) {}

    @Override
    public void onAttachReceiving(ReceivingLink link) {
      receiving = link;
      link.accept(AttachReply.ofMaxMessageSize(1));
    }

    @Override
    public void onAttachSending(SendingLink link) {
      sending = link;
      link.accept(AttachReply.ofMaxMessageSize(1));
    }

    @Override
    public void onDetach(AmqpLink link, @Nullable AmqpError error) {}

    @Override
    public void onTransfer(IncomingTransfer transfer) {
      transfers++;
      int id = transfer.deliveryId();
      transfer.link().session().settleIncoming(id, id, Outcome.ACCEPTED);
    }

    @Override
    public void onCredit(SendingLink link, long deliveryLimit, boolean drain) {}

    @Override
    public void onDisposition(
        SendingLink link, int deliveryId, long context, PeerState state, boolean settled) {
      dispositions++;
      link.settle(deliveryId, state.echo());
    }

    @Override
    public void onSendable(AmqpSession session) {}

    @Override
    public void onClose(@Nullable AmqpError error) {}

    @Override
    public void onFatal(AmqpError error) {}
  }
}
