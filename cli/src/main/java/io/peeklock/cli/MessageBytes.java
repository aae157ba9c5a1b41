package io.peeklock.cli;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.time.Instant;
import java.util.Date;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.impl.ClientMessageSupport;
import org.apache.qpid.protonj2.codec.CodecFactory;
import org.apache.qpid.protonj2.codec.DecoderState;
import org.apache.qpid.protonj2.codec.EncodingCodes;
import org.apache.qpid.protonj2.codec.StreamDecoderState;
import org.apache.qpid.protonj2.codec.decoders.AbstractPrimitiveTypeDecoder;
import org.apache.qpid.protonj2.codec.decoders.ProtonDecoder;
import org.apache.qpid.protonj2.codec.decoders.ProtonStreamUtils;
import org.jspecify.annotations.Nullable;

/**
 * Encoded messages, decoded so that nothing of them is lost: points in time stay such, which the
 * client library hands out as plain numbers and would send on as those.
 */
final class MessageBytes {
  static {
    keepTimes();
  }

  private MessageBytes() {}

  /** What came, which the library's own decoder fails on where it came in many frames. */
  static Taken of(Delivery delivery) throws ClientException {
    try (var in = delivery.rawInputStream()) {
      var bytes = in.readAllBytes();
      return new Taken(delivery, of(bytes), bytes.length);
    } catch (IOException failed) {
      throw new ClientException("what came could not be read", failed);
    }
  }

  static AdvancedMessage<?> of(byte[] bytes) throws ClientException {
    var buffer = ProtonBufferAllocator.defaultAllocator().copy(bytes);
    return ClientMessageSupport.decodeMessage(buffer, ignored -> {}).toAdvancedMessage();
  }

  /** One encoded value. */
  static @Nullable Object value(byte[] bytes) {
    var decoder = CodecFactory.getDecoder();
    var buffer = ProtonBufferAllocator.defaultAllocator().copy(bytes);
    return decoder.readObject(buffer, decoder.newDecoderState());
  }

  /** The library has no place to say how a primitive type is decoded. */
  private static void keepTimes() {
    try {
      var field = ProtonDecoder.class.getDeclaredField("primitiveDecoders");
      field.setAccessible(true);
      Array.set(field.get(null), EncodingCodes.TIMESTAMP & 0xff, new Times());
    } catch (ReflectiveOperationException otherVersion) {
      throw new IllegalStateException("the client library is another than expected", otherVersion);
    }
  }

  /** Decodes points in time. */
  private static final class Times extends AbstractPrimitiveTypeDecoder<Date> {
    @Override
    public Class<Date> getTypeClass() {
      return Date.class;
    }

    @Override
    public int getTypeCode() {
      return EncodingCodes.TIMESTAMP & 0xff;
    }

    @Override
    public Date readValue(ProtonBuffer buffer, DecoderState state) {
      return Date.from(Instant.ofEpochMilli(buffer.readLong()));
    }

    @Override
    public Date readValue(InputStream stream, StreamDecoderState state) {
      return Date.from(Instant.ofEpochMilli(ProtonStreamUtils.readLong(stream)));
    }

    @Override
    public void skipValue(ProtonBuffer buffer, DecoderState state) {
      buffer.advanceReadOffset(Long.BYTES);
    }

    @Override
    public void skipValue(InputStream stream, StreamDecoderState state) {
      ProtonStreamUtils.skipBytes(stream, Long.BYTES);
    }

    @Override
    public int readSize(ProtonBuffer buffer, DecoderState state) {
      return Long.BYTES;
    }

    @Override
    public int readSize(InputStream stream, StreamDecoderState state) {
      return Long.BYTES;
    }
  }
}
