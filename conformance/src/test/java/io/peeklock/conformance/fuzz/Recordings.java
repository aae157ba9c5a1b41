package io.peeklock.conformance.fuzz;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What official clients really say, as it was recorded with {@code -Dfuzz.record}. Entities are
 * named as the victims here, tokens are good, and a transaction's id is left open.
 */
final class Recordings {
  static final List<String> CLIENTS = List.of("java", "javascript", "python", "go", "rust");

  private static final int HEAD = 8;
  private static final int PROTOCOL_HEADER = 'A' << 24 | 'M' << 16 | 'Q' << 8 | 'P';
  private static final int DISCHARGE = 0x32;
  private static final int TRANSACTIONAL_STATE = 0x34;
  private static final Pattern PORT = Pattern.compile("^([a-z]+://localhost)(:\\d+)?/");
  private static final Pattern SUBSCRIPTION =
      Pattern.compile("(?i)^victim-topic/Subscriptions/[^/]+");

  private Recordings() {}

  /** The conversations over AMQP of this client, frame by frame, with {@link Scripts#PAUSE}. */
  static List<List<byte[]>> amqp(String client) {
    return lines(client).stream()
        .filter(line -> !line.isHttp())
        .map(line -> line.frames())
        .toList();
  }

  /** What this client asked over HTTP, a piece for each request. */
  static List<List<byte[]>> http(String client) {
    return lines(client).stream()
        .filter(Line::isHttp)
        .map(line -> line.pieces().stream().map(Recordings::withToken).toList())
        .toList();
  }

  private static List<Line> lines(String client) {
    var lines = new ArrayList<Line>();
    var name = client + ".hex";
    try (var in = Objects.requireNonNull(Recordings.class.getResourceAsStream(name), name);
        var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
      for (var options = reader.readLine(); options != null; options = reader.readLine()) {
        var pieces = List.of(reader.readLine().split(" ", -1));
        lines.add(
            new Line(victims(options), pieces.stream().map(HexFormat.of()::parseHex).toList()));
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return lines;
  }

  /** For each entity that was recorded the victim of its kind. */
  private static Map<String, String> victims(String options) {
    var victims = new HashMap<String, String>();
    var words = options.split(" ", -1);
    for (var i = 0; i + 1 < words.length; i += 2) {
      var definition = words[i + 1];
      victims.put(
          definition.split(",", 2)[0],
          switch (words[i]) {
            case "--topic" -> Scripts.TOPIC;
            case "--queue" -> victim(definition);
            default -> definition;
          });
    }
    return victims;
  }

  private static String victim(String definition) {
    if (definition.contains("RequiresSession=true")) {
      return Scripts.SESSIONS;
    }
    return definition.contains("RequiresDuplicateDetection=true")
        ? Scripts.DUPLICATES
        : Scripts.VICTIM;
  }

  private static byte[] withToken(byte[] request) {
    var text = new String(request, StandardCharsets.ISO_8859_1);
    return text.replaceAll("SharedAccessSignature [^\r\n]*", Scripts.TOKEN)
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /** One connection. */
  private record Line(Map<String, String> victims, List<byte[]> pieces) {
    boolean isHttp() {
      return ByteBuffer.wrap(pieces.getFirst()).getInt(0) != PROTOCOL_HEADER;
    }

    List<byte[]> frames() {
      var frames = new ArrayList<byte[]>();
      var left = new byte[0];
      for (var piece : pieces) {
        left = cut(joined(left, piece), frames);
        frames.add(Scripts.PAUSE);
      }
      return frames;
    }

    /** Whole frames go into the list; what is left is returned. */
    private byte[] cut(byte[] bytes, List<byte[]> frames) {
      var in = ByteBuffer.wrap(bytes);
      while (in.remaining() >= HEAD) {
        var first = in.getInt(in.position());
        var size = first == PROTOCOL_HEADER ? HEAD : first;
        if (size > in.remaining()) {
          break;
        }
        var frame = new byte[size];
        in.get(frame);
        frames.add(size == HEAD || frame[5] != 0 ? frame : adapted(frame));
      }
      var left = new byte[in.remaining()];
      in.get(left);
      return left;
    }

    private byte[] adapted(byte[] frame) {
      var body = ByteBuffer.wrap(frame, HEAD, frame.length - HEAD);
      var out = new ByteArrayOutputStream();
      out.write(frame, 0, HEAD);
      for (var root : Node.all(body)) {
        var nodes = new ArrayList<Node>();
        root.collect(nodes);
        nodes.forEach(this::adapt);
        root.write(out);
      }
      out.write(frame, body.position(), frame.length - body.position());
      var whole = out.toByteArray();
      ByteBuffer.wrap(whole).putInt(0, whole.length);
      return whole;
    }

    private void adapt(Node node) {
      var kind = node.constructor & 0xef;
      if (node.parts == null && (kind == 0xa1 || kind == 0xa3)) {
        var text = new String(node.leaf, StandardCharsets.UTF_8);
        node.leaf = adapted(text).getBytes(StandardCharsets.UTF_8);
      } else if (node.constructor == 0 && namesTransaction(node)) {
        var id = Objects.requireNonNull(Objects.requireNonNull(node.parts).get(1).parts).getFirst();
        id.become(Node.leaf(0xa0, Scripts.TRANSACTION));
      }
    }

    private static boolean namesTransaction(Node described) {
      var parts = Objects.requireNonNull(described.parts);
      var descriptor = parts.get(0).leaf;
      var fields = parts.get(1).parts;
      var code = descriptor.length == 0 ? 0 : descriptor[descriptor.length - 1];
      return (code == DISCHARGE || code == TRANSACTIONAL_STATE)
          && fields != null
          && !fields.isEmpty()
          && fields.getFirst().leaf.length == Scripts.TRANSACTION.length;
    }

    private String adapted(String text) {
      if (text.startsWith("SharedAccessSignature ")) {
        return Scripts.TOKEN;
      }
      var matcher = PORT.matcher(text);
      var host = matcher.find() ? matcher.group(1) + "/" : "";
      var path = text.substring(host.isEmpty() ? 0 : matcher.end());
      var victim = victims.get(path.split("/", 2)[0]);
      if (victim == null) {
        return host + path;
      }
      var slash = path.indexOf('/');
      var there = victim + (slash < 0 ? "" : path.substring(slash));
      return host + SUBSCRIPTION.matcher(there).replaceFirst(Scripts.TOPIC + "/Subscriptions/all");
    }

    private static byte[] joined(byte[] first, byte[] second) {
      return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    }
  }
}
