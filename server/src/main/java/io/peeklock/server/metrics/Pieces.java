package io.peeklock.server.metrics;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is written, in pieces of one size and a last one: no buffer doubles as it grows. */
final class Pieces extends OutputStream {
  static final int BYTES = 256 << 10;

  private final List<byte[]> full = new ArrayList<>();
  private byte[] last = new byte[BYTES];
  private int length;

  @Override
  public void write(int octet) {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) {
    for (var done = 0; done < count; ) {
      if (length == BYTES) {
        full.add(last);
        last = new byte[BYTES];
        length = 0;
      }
      var some = Math.min(count - done, BYTES - length);
      System.arraycopy(bytes, offset + done, last, length, some);
      length += some;
      done += some;
    }
  }

  /** All pieces, at least one, which may be empty; nothing can be written any more. */
  List<byte[]> all() {
    full.add(Arrays.copyOf(last, length));
    last = new byte[0];
    length = BYTES;
    return full;
  }
}
