package io.peeklock.testkit;

import io.peeklock.kernel.filter.FilterValue;
import io.peeklock.kernel.filter.PropertyChanges;
import io.peeklock.kernel.filter.PropertyName;
import io.peeklock.kernel.filter.SystemProperty;
import io.peeklock.kernel.request.MessageView;
import java.nio.charset.StandardCharsets;

/** A message whose text is its session id and its message id too. */
record TextMessage(String text) implements MessageView {
  @Override
  public void system(SystemProperty property, FilterValue into) {
    if (property == SystemProperty.SESSION_ID || property == SystemProperty.MESSAGE_ID) {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      into.setUtf8(bytes, 0, bytes.length);
    }
  }

  @Override
  public void user(PropertyName name, FilterValue into) {
    // It has none.
  }

  @Override
  public byte[] overlay(PropertyChanges changes) {
    return new byte[] {1};
  }

  @Override
  public int headBytes() {
    return 1;
  }

  @Override
  public boolean isChanged() {
    return false;
  }

  @Override
  public void messageIdHash(boolean withKey, long[] to, int at) {
    to[at] = text.hashCode();
    to[at + 1] = 1;
  }
}
