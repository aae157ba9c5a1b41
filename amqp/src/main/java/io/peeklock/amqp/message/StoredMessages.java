package io.peeklock.amqp.message;

import io.netty.buffer.Unpooled;
import io.peeklock.amqp.filter.StoredMessageView;
import io.peeklock.kernel.fact.DeadLetterCause;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.MessageFormat;
import io.peeklock.runtime.thread.AnyThread;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Messages as this edge stores them, for the shard. Stateless. */
@AnyThread
public final class StoredMessages implements MessageFormat {
  /** Ready for use. */
  public StoredMessages() {}

  @Override
  public byte[] merge(ByteBuffer older, byte[] newer) {
    return new PropertyMerge()
        .merge(Unpooled.wrappedBuffer(older.slice()), Unpooled.wrappedBuffer(newer));
  }

  @Override
  public MessageView source(byte[] beginning, byte @Nullable [] overlay, DeadLetterCause cause) {
    var texts = DeadLetterTexts.hasTexts(cause);
    if (overlay == null && !texts) {
      return StoredMessageView.of(beginning);
    }
    var isHead = overlay != null && overlay.length > 0 && overlay[0] == 0;
    var head = overlay != null && isHead ? overlay : beginning;
    var changes = overlay == null || isHead ? null : overlay;
    return StoredMessageView.changed(new PropertyMerge().mergeHead(head, changes, cause));
  }

  /**
   * Changed properties with those that were changed before: what is stored replaces what was, so it
   * must contain it.
   *
   * @param earlier null for none
   * @param newer null for none, which stays so
   */
  public static byte @Nullable [] merged(@Nullable Bodies earlier, byte @Nullable [] newer) {
    if (earlier == null || newer == null || newer.length > MessageNormalizer.MAX_HEADER_BYTES) {
      return newer;
    }
    var before = earlier.buffer(0).duplicate();
    before.limit(earlier.offset(0) + earlier.length(0)).position(earlier.offset(0));
    return new StoredMessages().merge(before, newer);
  }
}
