package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;

/**
 * One bounded pass over encoded values, before anything is built of them: known constructors, sizes
 * within the enclosing value, counts that fit the bytes left, zero-width array elements at most
 * once, nesting at most 32, and a budget for what decoding would cost. It allocates nothing and
 * throws nothing ({@code amqp.md} 14.4, {@code reliability.md} 5.6, D-7).
 *
 * <p>The budget is one aggregate for everything checked since {@link #start}: 16 times the bytes
 * plus 64 KiB, and never more than 1 MiB or twice the bytes, whichever is more. Reusable; not for
 * two threads.
 */
public final class ValueCheck {
  /** The deepest nesting that passes. */
  public static final int MAX_DEPTH = 32;

  /** What {@link #check} answers for a value that must not be decoded. */
  public static final int REFUSED = -1;

  private static final int COST_OF_A_VALUE = 16;
  private static final long FREE_BUDGET = 64 * 1024;
  private static final long BUDGET_CAP = 1024 * 1024;

  private long budget;
  private boolean anyDescriptor;
  private String problem = "";

  /** Starts a new aggregate budget for {@code inputBytes} of input. */
  public void start(int inputBytes) {
    long cap = Math.max(BUDGET_CAP, 2L * inputBytes);
    budget = Math.min(16L * inputBytes + FREE_BUDGET, cap);
  }

  /**
   * Checks one value, whatever descriptors it uses.
   *
   * @param offset the absolute index of its constructor
   * @param end the absolute index that it must not cross
   * @return the absolute index behind it, or {@link #REFUSED}: see {@link #problem}
   */
  public int check(ByteBuf buffer, int offset, int end) {
    anyDescriptor = true;
    return value(buffer, offset, end, 0);
  }

  /**
   * Checks one performative: as {@link #check}, and descriptors must be AMQP's own, except below
   * maps, where applications put what they like (filters, properties).
   */
  public int checkPerformative(ByteBuf buffer, int offset, int end) {
    anyDescriptor = false;
    return value(buffer, offset, end, 0);
  }

  /** As {@link #check}, without using up the budget: for values that will not be decoded. */
  public int checkStructure(ByteBuf buffer, int offset, int end) {
    long kept = budget;
    budget = Long.MAX_VALUE;
    int behind = check(buffer, offset, end);
    budget = kept;
    return behind;
  }

  /** What is wrong with the value that was checked last, in words. */
  public String problem() {
    return problem;
  }

  private int value(ByteBuf buffer, int at, int end, int depth) {
    if (at >= end) {
      return refuse("a value is cut off");
    }
    budget -= COST_OF_A_VALUE;
    if (budget < 0) {
      return refuse("decoding this would cost too much");
    }
    int code = buffer.getUnsignedByte(at);
    if (code == FormatCode.DESCRIBED) {
      int behind = descriptor(buffer, at + 1, end);
      return behind < 0 ? REFUSED : nested(buffer, behind, end, depth + 1);
    }
    return content(buffer, code, at + 1, end, depth);
  }

  private int nested(ByteBuf buffer, int at, int end, int depth) {
    return depth > MAX_DEPTH ? refuse("nested too deeply") : value(buffer, at, end, depth);
  }

  private int descriptor(ByteBuf buffer, int at, int end) {
    if (at >= end) {
      return refuse("a descriptor is cut off");
    }
    int code = buffer.getUnsignedByte(at);
    return switch (code) {
      case FormatCode.ULONG0, FormatCode.SMALL_ULONG, FormatCode.ULONG ->
          numericDescriptor(buffer, code, at + 1, end);
      case FormatCode.SYM8, FormatCode.SYM32 -> symbolicDescriptor(buffer, code, at + 1, end);
      default -> refuse("a descriptor is neither ulong nor symbol");
    };
  }

  private int numericDescriptor(ByteBuf buffer, int code, int at, int end) {
    int width = FormatCode.widthOf(code);
    if (width > end - at) {
      return refuse("a descriptor is cut off");
    }
    if (anyDescriptor) {
      return at + width;
    }
    long number = 0;
    if (width > 0) {
      number = width == 1 ? buffer.getUnsignedByte(at) : buffer.getLong(at);
    }
    return Descriptor.isKnown(number) ? at + width : refuse("an unknown descriptor");
  }

  private int symbolicDescriptor(ByteBuf buffer, int code, int at, int end) {
    int behind = content(buffer, code, at, end, 0);
    if (behind < 0 || anyDescriptor) {
      return behind;
    }
    int text = at + (code == FormatCode.SYM8 ? 1 : 4);
    boolean known = Descriptor.codeOf(buffer, text, behind - text) != Descriptor.UNKNOWN;
    return known ? behind : refuse("an unknown descriptor");
  }

  /** Checks what follows a constructor. */
  private int content(ByteBuf buffer, int code, int at, int end, int depth) {
    int width = FormatCode.widthOf(code);
    if (width == FormatCode.UNKNOWN_WIDTH) {
      return refuse("an unknown constructor");
    }
    if (width <= 16) {
      return width > end - at ? refuse("a value is cut off") : at + width;
    }
    int sizeBytes = width == FormatCode.SIZE8 ? 1 : 4;
    if (sizeBytes > end - at) {
      return refuse("a size is cut off");
    }
    int size = sizeBytes == 1 ? buffer.getUnsignedByte(at) : buffer.getInt(at);
    int start = at + sizeBytes;
    if (size < 0 || size > end - start) {
      return refuse("a size goes beyond the enclosing value");
    }
    if (FormatCode.isListOrMap(code)) {
      return compound(buffer, code, start, start + size, depth + 1);
    }
    if (FormatCode.isArray(code)) {
      return array(buffer, sizeBytes, start, start + size, depth + 1);
    }
    budget -= size;
    return budget < 0 ? refuse("decoding this would cost too much") : start + size;
  }

  private int compound(ByteBuf buffer, int code, int at, int end, int depth) {
    int countBytes = code >= FormatCode.LIST32 ? 4 : 1;
    if (depth > MAX_DEPTH || countBytes > end - at) {
      return refuse(depth > MAX_DEPTH ? "nested too deeply" : "a count is cut off");
    }
    int count = countBytes == 1 ? buffer.getUnsignedByte(at) : buffer.getInt(at);
    int next = at + countBytes;
    if (count < 0 || count > end - next) {
      return refuse("a count is larger than the bytes left");
    }
    boolean map = FormatCode.isMap(code);
    if (map && (count & 1) != 0) {
      return refuse("a map has a key without a value");
    }
    return values(buffer, count, next, end, depth, map);
  }

  private int values(ByteBuf buffer, int count, int at, int end, int depth, boolean ofMap) {
    boolean outside = anyDescriptor;
    anyDescriptor |= ofMap;
    int next = at;
    for (int i = 0; i < count && next >= 0; i++) {
      next = value(buffer, next, end, depth);
    }
    anyDescriptor = outside;
    return next < 0 || next == end ? next : refuse("bytes are left behind the last value");
  }

  private int array(ByteBuf buffer, int countBytes, int at, int end, int depth) {
    if (depth > MAX_DEPTH || countBytes >= end - at) {
      return refuse(depth > MAX_DEPTH ? "nested too deeply" : "an array is cut off");
    }
    int count = countBytes == 1 ? buffer.getUnsignedByte(at) : buffer.getInt(at);
    int next = at + countBytes;
    if (buffer.getByte(next) == FormatCode.DESCRIBED) {
      next = descriptor(buffer, next + 1, end);
    }
    if (next < 0 || next >= end) {
      return next < 0 ? REFUSED : refuse("an array is cut off");
    }
    return elements(buffer, count, next, end, depth);
  }

  private int elements(ByteBuf buffer, int count, int constructorAt, int end, int depth) {
    int code = buffer.getUnsignedByte(constructorAt);
    int next = constructorAt + 1;
    // An element without bytes costs nothing to send: ten bytes could ask for 2^31 of them.
    int most = FormatCode.widthOf(code) == 0 ? 1 : end - next;
    if (count < 0 || count > most) {
      return refuse("an array counts more elements than it has bytes for");
    }
    budget -= (long) count * COST_OF_A_VALUE;
    if (budget < 0) {
      return refuse("decoding this would cost too much");
    }
    if (count == 0 && FormatCode.widthOf(code) == FormatCode.UNKNOWN_WIDTH) {
      return refuse("an unknown constructor");
    }
    for (int i = 0; i < count && next >= 0; i++) {
      next = content(buffer, code, next, end, depth);
    }
    return next < 0 || next == end ? next : refuse("bytes are left behind the last element");
  }

  private int refuse(String why) {
    problem = why;
    return REFUSED;
  }
}
