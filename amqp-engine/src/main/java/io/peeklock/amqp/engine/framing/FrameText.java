package io.peeklock.amqp.engine.framing;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import io.peeklock.amqp.engine.codec.Unsigned;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes frames in words, for troubleshooting. Never shows a payload, which is private data of
 * clients, nor a SASL response, which is a password, nor anything that looks like a token or key.
 * Never throws because of a frame's contents.
 */
public final class FrameText {
  private static final int HEADER = 8;
  private static final int MAGIC = 0x414d5150; // "AMQP"; a frame of that size is never cut
  private static final int LONGEST = 2_000;
  private static final int SHOWN_OF_BINARY = 4; // enough to distinguish them: a tag is a lock token
  private static final Pattern SECRETS =
      Pattern.compile("(?i)(SharedAccessKey=|SharedAccessSignature|Bearer |sig=)[^,}\\]]*");

  private static final Map<Long, List<String>> FIELDS =
      Map.ofEntries(
          named(
              Descriptor.OPEN,
              "open container-id hostname max-frame-size channel-max idle-time-out"
                  + " outgoing-locales incoming-locales offered desired properties"),
          named(
              Descriptor.BEGIN,
              "begin remote-channel next-outgoing-id incoming-window outgoing-window handle-max"
                  + " offered desired properties"),
          named(
              Descriptor.ATTACH,
              "attach name handle role snd-settle-mode rcv-settle-mode source target unsettled"
                  + " incomplete-unsettled initial-delivery-count max-message-size offered desired"
                  + " properties"),
          named(
              Descriptor.FLOW,
              "flow next-incoming-id incoming-window next-outgoing-id outgoing-window handle"
                  + " delivery-count link-credit available drain echo properties"),
          named(
              Descriptor.TRANSFER,
              "transfer handle delivery-id delivery-tag message-format settled more rcv-settle-mode"
                  + " state resume aborted batchable"),
          named(Descriptor.DISPOSITION, "disposition role first last settled state batchable"),
          named(Descriptor.DETACH, "detach handle closed error"),
          named(Descriptor.END, "end error"),
          named(Descriptor.CLOSE, "close error"),
          named(Descriptor.ERROR, "error condition description info"),
          named(Descriptor.RECEIVED, "received section-number section-offset"),
          named(Descriptor.ACCEPTED, "accepted"),
          named(Descriptor.REJECTED, "rejected error"),
          named(Descriptor.RELEASED, "released"),
          named(Descriptor.MODIFIED, "modified failed undeliverable annotations"),
          named(
              Descriptor.SOURCE,
              "source address durable expiry-policy timeout dynamic node-properties"
                  + " distribution-mode filter default-outcome outcomes capabilities"),
          named(
              Descriptor.TARGET,
              "target address durable expiry-policy timeout dynamic node-properties capabilities"),
          named(Descriptor.COORDINATOR, "coordinator capabilities"),
          named(Descriptor.DECLARED, "declared txn-id"),
          named(Descriptor.TRANSACTIONAL_STATE, "transactional-state txn-id outcome"),
          named(Descriptor.SASL_MECHANISMS, "sasl-mechanisms mechanisms"),
          named(Descriptor.SASL_INIT, "sasl-init mechanism initial-response hostname"),
          named(Descriptor.SASL_RESPONSE, "sasl-response response"),
          named(Descriptor.SASL_CHALLENGE, "sasl-challenge challenge"),
          named(Descriptor.SASL_OUTCOME, "sasl-outcome code additional-data"));

  private FrameText() {}

  private static Map.Entry<Long, List<String>> named(long code, String words) {
    return Map.entry(code, Arrays.asList(words.split(" ", -1)));
  }

  /** Reports everything in a buffer of complete frames and protocol headers. */
  public static void tellSent(FrameTrace trace, ByteBuf output) {
    var at = output.readerIndex();
    while (output.writerIndex() - at >= HEADER) {
      var first = output.getInt(at);
      if (first == MAGIC) {
        trace.sent(header(output.getLong(at)));
        at += HEADER;
      } else {
        trace.sent(frame(output, at, first));
        at += Math.max(HEADER, first);
      }
    }
  }

  /** A protocol header. */
  public static String header(long header) {
    var protocol = header >> 32 == MAGIC ? "AMQP" : "?";
    return String.format(Locale.ROOT, "header %s %08x", protocol, (int) header);
  }

  /**
   * A frame.
   *
   * @param at the index of its size word
   */
  public static String frame(ByteBuf buffer, int at, int size) {
    try {
      var bodyAt = at + 4 * buffer.getUnsignedByte(at + 4);
      var end = at + size;
      if (bodyAt >= end) {
        return "heartbeat";
      }
      var reader = new AmqpReader();
      reader.reset(buffer, bodyAt, end - bodyAt);
      var performative = AmqpValues.decode(reader);
      var payload = end - reader.position();
      var text = new StringBuilder("ch=").append(buffer.getUnsignedShort(at + 6)).append(' ');
      text.append(text(performative));
      if (payload > 0) {
        text.append(" payload=").append(payload).append(" bytes");
      }
      return shortened(SECRETS.matcher(text).replaceAll("$1[hidden]"));
    } catch (AmqpDecodeException | IndexOutOfBoundsException malformed) {
      return "a frame of " + size + " bytes that cannot be read";
    }
  }

  private static String shortened(String text) {
    var line = text.replace('\n', ' ').replace('\r', ' ');
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Described described -> text(described);
      case byte[] bytes -> text(bytes);
      case UUID uuid -> text(uuid);
      case Map<?, ?> map ->
          map.entrySet().stream()
              .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
              .collect(Collectors.joining(", ", "{", "}"));
      case List<?> list ->
          list.stream().map(FrameText::text).collect(Collectors.joining(", ", "[", "]"));
      case TypedArray array -> text(array.elements());
      case Unsigned number -> Long.toUnsignedString(number.value());
      case Symbol symbol -> symbol.toString();
      default -> String.valueOf(value);
    };
  }

  /** It may be a lock token. */
  private static String text(UUID uuid) {
    return uuid.toString().substring(0, 2 * SHOWN_OF_BINARY) + "…";
  }

  private static String text(byte[] bytes) {
    var shown = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, SHOWN_OF_BINARY));
    return bytes.length <= SHOWN_OF_BINARY ? "0x" + shown : "0x" + shown + "… of " + bytes.length;
  }

  private static String text(Described described) {
    var code = described.descriptor() instanceof Unsigned.Ulong number ? number.value() : -1;
    var names = FIELDS.get(code);
    if (names == null || !(described.value() instanceof List<?> values)) {
      return described.descriptor() + ":" + text(described.value());
    }
    var isSasl = code == Descriptor.SASL_INIT || code == Descriptor.SASL_RESPONSE;
    var fields = new StringBuilder(names.getFirst()).append('{');
    for (var i = 0; i < values.size(); i++) {
      var value = values.get(i);
      if (value != null) {
        fields
            .append(fields.charAt(fields.length() - 1) == '{' ? "" : ", ")
            .append(i + 1 < names.size() ? names.get(i + 1) : "field-" + i)
            .append('=')
            .append(isSasl && value instanceof byte[] ? "[hidden]" : text(value));
      }
    }
    return fields.append('}').toString();
  }
}
