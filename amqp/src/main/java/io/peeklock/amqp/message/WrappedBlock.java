package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.runtime.thread.EventLoopThread;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory that stored messages lie in, as Netty wants it. Neighbours mostly lie in the same
 * block, the very same object, so the last one is kept: it costs more objects to wrap a block than
 * to write a message. What is kept is memory of up to 1 MiB, which nobody counts once its messages
 * are gone; so it is kept only while a run of effects is written, to all connections of the loop,
 * and then forgotten. It is looked at only while its owner has it.
 */
@EventLoopThread
public final class WrappedBlock {
  private @Nullable ByteBuffer last;
  private ByteBuf wrapped = Unpooled.EMPTY_BUFFER;

  /** The same bytes at the same places; never to be released. */
  @SuppressWarnings("ReferenceEquality")
  public ByteBuf of(ByteBuffer block) {
    if (block != last) {
      last = block;
      wrapped = Unpooled.wrappedBuffer(block.duplicate().clear());
    }
    return wrapped;
  }

  /** The last one may go. */
  public void forget() {
    last = null;
    wrapped = Unpooled.EMPTY_BUFFER;
  }

  /** Whether one is kept. */
  public boolean keepsOne() {
    return last != null;
  }
}
