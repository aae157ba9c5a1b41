package io.peeklock.amqp;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.filter.StoredSubject;
import io.peeklock.kernel.CopySource;
import io.peeklock.runtime.MessageFormat;
import java.nio.ByteBuffer;

/** Messages as this edge stores them, for the shard. Stateless, so safe for any thread. */
public final class StoredMessages implements MessageFormat {
  /** Ready for use. */
  public StoredMessages() {}

  @Override
  public byte[] merge(ByteBuffer older, byte[] newer) {
    return new PropertyMerge()
        .merge(Unpooled.wrappedBuffer(older.slice()), Unpooled.wrappedBuffer(newer));
  }

  @Override
  public CopySource source(byte[] beginning) {
    return StoredSubject.of(beginning);
  }
}
