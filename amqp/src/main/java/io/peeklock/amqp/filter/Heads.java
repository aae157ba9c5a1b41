package io.peeklock.amqp.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.kernel.CopySource;
import io.peeklock.kernel.SendBurst;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is before the bodies of the messages of a burst: kept beside the staged messages, which the
 * shard does not read, until the topic has looked at it.
 */
public final class Heads implements SendBurst.Subjects {
  private byte[] bytes = new byte[1_024];
  private int[] ends = new int[16];
  private int count;
  private final StoredSubject subject = new StoredSubject();
  private @Nullable ByteBuf wrapped;

  /** None yet. */
  public Heads() {}

  /** Takes the next one, from a buffer's absolute place. */
  public void add(ByteBuffer from, int at, int length) {
    var start = end(count);
    if (start + length > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, start + length));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, count * 2);
    }
    from.get(at, bytes, start, length);
    ends[count++] = start + length;
  }

  /** Takes the first one of others. */
  public void join(Heads others) {
    add(ByteBuffer.wrap(others.bytes), 0, others.end(1));
  }

  private int end(int messages) {
    return messages == 0 ? 0 : ends[messages - 1];
  }

  @Override
  public CopySource at(int i) {
    var all = wrapped;
    if (all == null) {
      all = Unpooled.wrappedBuffer(bytes);
      wrapped = all;
    }
    return subject.on(bytes, all, end(i), ends[i] - end(i));
  }
}
