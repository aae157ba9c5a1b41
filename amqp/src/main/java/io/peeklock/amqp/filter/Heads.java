package io.peeklock.amqp.filter;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.kernel.request.MessageView;
import io.peeklock.kernel.request.SendBurst;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a burst as filters see them. They stay where they are staged; what is before a
 * body is copied only when the topic looks at it, which it does while it decides, and before the
 * journal gives the place to others.
 */
public final class Heads implements SendBurst.Subjects {
  private static final int ROOM_BYTES = 1_024;

  private final ByteBuffer[] places;
  private final int[] starts;
  private final int[] lengths;
  private byte[] bytes = {};
  private @Nullable ByteBuf wrapped;
  private @Nullable StoredMessageView subject;

  /**
   * Of these messages; one entry each. The arrays are not copied.
   *
   * @param places where they lie; position and limit of each may change meanwhile
   * @param starts from which absolute place on
   * @param lengths how many bytes are before their bodies
   */
  public Heads(ByteBuffer[] places, int[] starts, int[] lengths) {
    this.places = places;
    this.starts = starts;
    this.lengths = lengths;
  }

  @Override
  public MessageView at(int i) {
    var length = lengths[i];
    var all = wrapped;
    var known = subject;
    if (all == null || known == null || bytes.length < length) {
      bytes = new byte[Math.max(ROOM_BYTES, length)];
      all = Unpooled.wrappedBuffer(bytes);
      known = new StoredMessageView();
      wrapped = all;
      subject = known;
    }
    places[i].get(starts[i], bytes, 0, length);
    return known.on(bytes, all, 0, length);
  }
}
