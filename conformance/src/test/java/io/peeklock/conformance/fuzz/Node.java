package io.peeklock.conformance.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An encoded AMQP value that can be taken apart, spoilt and written again: unlike a decoded value
 * it keeps its constructor, and may lie about its size and count.
 */
final class Node {
  private static final int SHORTEST_WIDE = 256;

  int constructor;
  byte[] leaf;

  /** What a list or map holds, or descriptor and value; null in a leaf. */
  @Nullable List<Node> parts;

  int sizeLie;
  int countLie;

  private Node(int constructor, byte[] leaf, @Nullable List<Node> parts) {
    this.constructor = constructor;
    this.leaf = leaf;
    this.parts = parts;
  }

  static Node leaf(int constructor, byte[] leaf) {
    return new Node(constructor, leaf, null);
  }

  static Node list(List<Node> parts) {
    return new Node(0xd0, new byte[0], new ArrayList<>(parts));
  }

  /** Under a numeric descriptor. */
  static Node described(int code, Node value) {
    var descriptor = leaf(0x53, new byte[] {(byte) code});
    return new Node(0, new byte[0], new ArrayList<>(List.of(descriptor, value)));
  }

  /** All values up to the end; what is no value stays in the buffer, before its position. */
  static List<Node> all(ByteBuffer in) {
    var nodes = new ArrayList<Node>();
    while (in.hasRemaining()) {
      var start = in.position();
      try {
        nodes.add(one(in));
      } catch (BufferUnderflowException | IllegalArgumentException cutOffHere) {
        in.position(start);
        break;
      }
    }
    return nodes;
  }

  private static Node one(ByteBuffer in) {
    var constructor = in.get() & 0xff;
    if (constructor == 0) {
      var parts = new ArrayList<Node>(2);
      parts.add(one(in));
      parts.add(one(in));
      return new Node(0, new byte[0], parts);
    }
    var fixed = fixedBytes(constructor);
    if (fixed >= 0) {
      return leaf(constructor, bytes(in, fixed));
    }
    var wide = (constructor & 0x10) != 0;
    var inside = bytes(in, wide ? in.getInt() : in.get() & 0xff);
    if (constructor >> 4 != 0xc && constructor >> 4 != 0xd) {
      return leaf(constructor, inside);
    }
    var buffer = ByteBuffer.wrap(inside);
    buffer.position(wide ? 4 : 1);
    var parts = new ArrayList<Node>();
    while (buffer.hasRemaining()) {
      parts.add(one(buffer));
    }
    return new Node(constructor, new byte[0], parts);
  }

  private static byte[] bytes(ByteBuffer in, int count) {
    if (count < 0 || count > in.remaining()) {
      throw new BufferUnderflowException();
    }
    var bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  /** How long a value of fixed width is, -1 for the others. */
  private static int fixedBytes(int constructor) {
    return switch (constructor >> 4) {
      case 4 -> 0;
      case 5 -> 1;
      case 6 -> 2;
      case 7 -> 4;
      case 8 -> 8;
      case 9 -> 16;
      case 0xa, 0xb, 0xc, 0xd, 0xe, 0xf -> -1;
      default -> throw new IllegalArgumentException("no constructor");
    };
  }

  /** This and all that is in it. */
  void collect(List<Node> into) {
    into.add(this);
    if (parts != null) {
      for (var part : parts) {
        part.collect(into);
      }
    }
  }

  Node copy() {
    var copied = parts == null ? null : new ArrayList<>(parts.stream().map(Node::copy).toList());
    var copy = new Node(constructor, leaf.clone(), copied);
    copy.sizeLie = sizeLie;
    copy.countLie = countLie;
    return copy;
  }

  /** Becomes what the other is. */
  void become(Node other) {
    constructor = other.constructor;
    leaf = other.leaf;
    parts = other.parts;
  }

  void write(ByteArrayOutputStream out) {
    if (parts == null) {
      writeLeaf(out);
      return;
    }
    var inside = new ByteArrayOutputStream();
    for (var part : parts) {
      part.write(inside);
    }
    if (constructor == 0) {
      out.write(0);
      out.writeBytes(inside.toByteArray());
      return;
    }
    var small = (constructor & 0x10) == 0 && inside.size() + 1 < SHORTEST_WIDE;
    out.write(small ? constructor : constructor | 0x10);
    size(out, small, inside.size() + (small ? 1 : 4) + sizeLie);
    size(out, small, parts.size() + countLie);
    out.writeBytes(inside.toByteArray());
  }

  private void writeLeaf(ByteArrayOutputStream out) {
    if (constructor < 0xa0) {
      out.write(constructor);
      out.writeBytes(leaf);
      return;
    }
    var small = (constructor & 0x10) == 0 && leaf.length < SHORTEST_WIDE;
    out.write(small ? constructor : constructor | 0x10);
    size(out, small, leaf.length + sizeLie);
    out.writeBytes(leaf);
  }

  private static void size(ByteArrayOutputStream out, boolean small, int size) {
    if (small) {
      out.write(size);
    } else {
      out.writeBytes(ByteBuffer.allocate(4).putInt(size).array());
    }
  }

  @Override
  public String toString() {
    return Integer.toHexString(constructor) + (parts == null ? Arrays.toString(leaf) : parts);
  }
}
