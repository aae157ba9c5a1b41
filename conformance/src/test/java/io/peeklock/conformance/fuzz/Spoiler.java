package io.peeklock.conformance.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Spoils frames by structure: values, their types, sizes and order, and what surrounds them. */
final class Spoiler {
  private static final int FRAME_HEAD = 8;
  private static final long[] EDGES = {
    0,
    1,
    2,
    3,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    (1L << 31) - 2,
    (1L << 31) - 1,
    1L << 31,
    (1L << 31) + 1,
    (1L << 32) - 2,
    (1L << 32) - 1,
    1L << 32,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1
  };

  /** What fields mean something by; never the witness's queues. */
  private static final String[] WORDS = {
    "",
    "$cbs",
    "$management",
    "victim",
    "victim/$management",
    "victim/$deadletterqueue",
    "victim/$Transfer/$DeadLetterQueue",
    "victim-sessions",
    "victim-topic",
    "victim-topic/Subscriptions/all",
    "amqps://localhost/victim",
    "com.microsoft:session-filter",
    "com.microsoft:timeout",
    "com.microsoft:tracking-id",
    "x-opt-partition-key",
    "x-opt-scheduled-enqueue-time",
    "x-opt-via-partition-key",
    "apache.org:selector-filter:string",
    "operation",
    "put-token",
    "sequence-numbers",
    "a b",
    "../..",
    "\0",
    "\ud83d\ude00"
  };

  private static final int[] KINDS = {
    0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x60, 0x61, 0x70,
    0x71, 0x72, 0x73, 0x80, 0x81, 0x82, 0x83, 0x98, 0xa0, 0xa1, 0xa3, 0xb0, 0xb1, 0xb3, 0xe0, 0xf0
  };
  private static final int[] CODES = {
    0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1d, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28,
    0x29, 0x30, 0x31, 0x32, 0x33, 0x34, 0x40, 0x41, 0x42, 0x43, 0x44, 0x70, 0x71, 0x72, 0x73, 0x74,
    0x75, 0x76, 0x77, 0x78
  };

  private final Random random;

  Spoiler(Random random) {
    this.random = random;
  }

  /**
   * One change.
   *
   * @param first the frames before it stay as they are
   */
  void change(List<byte[]> frames, int first) {
    if (frames.size() <= first) {
      frames.add(new byte[0]);
      return;
    }
    var at = first + random.nextInt(frames.size() - first);
    var to = first + random.nextInt(frames.size() - first);
    switch (random.nextInt(16)) {
      case 0 -> frames.add(to, frames.get(at));
      case 1 -> frames.remove(at);
      case 2 -> frames.add(to, frames.remove(at));
      case 3 -> Collections.swap(frames, at, to);
      case 4 -> frames.set(at, spoiltHead(frames.get(at)));
      case 5 -> frames.set(at, anyBytes(frames.get(at)));
      default -> frames.set(at, spoiltValue(frames.get(at)));
    }
  }

  private byte[] spoiltHead(byte[] frame) {
    if (frame.length < FRAME_HEAD) {
      return frame;
    }
    var spoilt = frame.clone();
    var buffer = ByteBuffer.wrap(spoilt);
    switch (random.nextInt(6)) {
      case 0 -> buffer.putInt(0, buffer.getInt(0) + random.nextInt(17) - 8);
      case 1 -> buffer.putInt(0, (int) edge());
      case 2 -> buffer.put(4, (byte) random.nextInt(256));
      case 3 -> buffer.put(5, (byte) random.nextInt(4));
      case 4 -> buffer.putShort(6, (short) edge());
      default -> {
        var cut = Arrays.copyOf(frame, FRAME_HEAD + random.nextInt(frame.length - FRAME_HEAD + 1));
        ByteBuffer.wrap(cut).putInt(0, cut.length);
        return cut;
      }
    }
    return spoilt;
  }

  /** A few bytes changed, put in or taken out; what they mean is not looked at. */
  byte[] anyBytes(byte[] bytes) {
    if (bytes.length == 0) {
      return bytes;
    }
    var spoilt = bytes.clone();
    for (var changes = 1 + random.nextInt(4); changes > 0; changes--) {
      var at = random.nextInt(spoilt.length);
      switch (random.nextInt(4)) {
        case 0 -> spoilt[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> spoilt[at] = (byte) EDGES[random.nextInt(EDGES.length)];
        default -> spoilt[at] = (byte) random.nextInt(256);
      }
    }
    return random.nextInt(8) == 0 ? Arrays.copyOf(spoilt, random.nextInt(spoilt.length)) : spoilt;
  }

  private byte[] spoiltValue(byte[] frame) {
    if (frame.length <= FRAME_HEAD || frame[4] != 2) {
      return frame;
    }
    var body = ByteBuffer.wrap(frame, FRAME_HEAD, frame.length - FRAME_HEAD);
    var roots = Node.all(body);
    var nodes = new ArrayList<Node>();
    roots.forEach(root -> root.collect(nodes));
    if (nodes.isEmpty()) {
      return anyBytes(frame);
    }
    spoil(nodes.get(random.nextInt(nodes.size())));
    if (random.nextInt(12) == 0) {
      reorder(roots);
    }
    var out = new ByteArrayOutputStream();
    out.write(frame, 0, FRAME_HEAD);
    roots.forEach(root -> root.write(out));
    out.write(frame, body.position(), frame.length - body.position());
    var whole = out.toByteArray();
    ByteBuffer.wrap(whole).putInt(0, whole.length);
    return whole;
  }

  private void spoil(Node node) {
    if (node.parts != null && random.nextInt(3) != 0) {
      spoilParts(node, node.parts);
      return;
    }
    switch (random.nextInt(8)) {
      case 0 -> node.become(Node.leaf(0x40, new byte[0]));
      case 1, 2 -> node.become(anything());
      case 3 -> node.sizeLie = (int) edge();
      case 4 -> node.become(deep(node.copy()));
      default -> spoilLeaf(node);
    }
  }

  private void spoilLeaf(Node node) {
    if (node.constructor >= 0xa0) {
      node.leaf = text();
    } else if (node.leaf.length == 0) {
      node.become(anything());
    } else {
      node.leaf = number(node.leaf.length);
    }
  }

  private void spoilParts(Node node, List<Node> parts) {
    if (node.constructor == 0) {
      var code = CODES[random.nextInt(CODES.length)];
      parts.set(0, Node.leaf(0x53, new byte[] {(byte) code}));
      return;
    }
    switch (random.nextInt(6)) {
      case 0 -> node.countLie = (int) edge();
      case 1 -> node.sizeLie = random.nextInt(17) - 8;
      case 2 -> parts.add(random.nextInt(parts.size() + 1), anything());
      case 3 -> node.constructor ^= 1; // a list for a map
      default -> reorder(parts);
    }
  }

  private void reorder(List<Node> parts) {
    if (parts.isEmpty()) {
      return;
    }
    var at = random.nextInt(parts.size());
    switch (random.nextInt(4)) {
      case 0 -> parts.remove(at);
      case 1 -> Collections.swap(parts, at, random.nextInt(parts.size()));
      case 2 -> {
        var many = random.nextInt(20) == 0 ? 300 : 1;
        for (var i = 0; i < many; i++) {
          parts.add(at, parts.get(at).copy());
        }
      }
      default -> parts.subList(at, parts.size()).clear();
    }
  }

  private Node deep(Node inside) {
    var node = inside;
    for (var depth = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 3); depth > 0; depth--) {
      node =
          random.nextBoolean()
              ? Node.list(List.of(node))
              : Node.described(CODES[random.nextInt(CODES.length)], node);
    }
    return node;
  }

  private Node anything() {
    var kind = KINDS[random.nextInt(KINDS.length)];
    return switch (kind >> 4) {
      case 4 -> Node.leaf(kind, new byte[0]);
      case 5 -> Node.leaf(kind, number(1));
      case 6 -> Node.leaf(kind, number(2));
      case 7 -> Node.leaf(kind, number(4));
      case 8 -> Node.leaf(kind, number(8));
      case 9 -> Node.leaf(kind, new byte[16]);
      default -> Node.leaf(kind, text());
    };
  }

  private byte[] number(int bytes) {
    var wide = ByteBuffer.allocate(8).putLong(edge()).array();
    var number = new byte[bytes];
    System.arraycopy(wide, Math.max(0, 8 - bytes), number, 0, Math.min(8, bytes));
    return number;
  }

  private long edge() {
    return random.nextInt(8) == 0 ? random.nextLong() : EDGES[random.nextInt(EDGES.length)];
  }

  private byte[] text() {
    return switch (random.nextInt(6)) {
      case 0 -> new byte[random.nextInt(300)];
      case 1 -> "x".repeat(random.nextInt(5_000)).getBytes(StandardCharsets.US_ASCII);
      case 2 -> number(8);
      default -> WORDS[random.nextInt(WORDS.length)].getBytes(StandardCharsets.UTF_8);
    };
  }
}
