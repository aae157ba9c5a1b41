package io.peeklock.kernel.grant;

import org.jspecify.annotations.Nullable;

/**
 * A delay of messages that move by themselves and cannot go on.
 *
 * @param reason as it was when it was tried last
 * @param sinceMillis when nothing moved for the first time, on the monotonic clock
 */
public record Delay(WaitReason reason, long sinceMillis) {

  /**
   * The delay after a try in which nothing moved.
   *
   * @param before the delay before that; null when there was none
   */
  public static Delay after(@Nullable Delay before, WaitReason reason, long monotonicMillis) {
    return new Delay(reason, before == null ? monotonicMillis : before.sinceMillis());
  }
}
