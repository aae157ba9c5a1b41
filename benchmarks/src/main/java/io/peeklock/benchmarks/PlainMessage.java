package io.peeklock.benchmarks;

import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.request.MessageView;
import java.nio.charset.StandardCharsets;

/** A message with a color, and a long text that bombs go off at. */
final class PlainMessage implements MessageView {
  static final PlainMessage INSTANCE = new PlainMessage();
  private static final byte[] COLOR = "red".getBytes(StandardCharsets.UTF_8);
  private static final byte[] KEY = "color".getBytes(StandardCharsets.UTF_8);
  private static final byte[] LONG = "a".repeat(32 << 10).getBytes(StandardCharsets.UTF_8);
  private static final byte[] LONG_KEY = "text".getBytes(StandardCharsets.UTF_8);

  private PlainMessage() {}

  @Override
  public void system(SystemProperty property, FilterValue into) {}

  @Override
  public void user(PropertyName name, FilterValue into) {
    if (name.matches(KEY, 0, KEY.length)) {
      into.setUtf8(COLOR, 0, COLOR.length);
    } else if (name.matches(LONG_KEY, 0, LONG_KEY.length)) {
      into.setUtf8(LONG, 0, LONG.length);
    }
  }

  @Override
  public byte[] overlay(PropertyChanges changes) {
    return new byte[64];
  }

  @Override
  public int headBytes() {
    return 64;
  }

  @Override
  public boolean isChanged() {
    return false;
  }

  @Override
  public void messageIdHash(boolean withKey, long[] to, int at) {}
}
