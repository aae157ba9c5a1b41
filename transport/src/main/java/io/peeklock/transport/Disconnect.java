package io.peeklock.transport;

import io.netty.channel.Channel;
import io.peeklock.runtime.thread.AnyThread;

/** Drops a connection without a word in its TLS, which it may not be able to take. */
@AnyThread
final class Disconnect {
  private Disconnect() {}

  static void atOnce(Channel channel) {
    var first = channel.pipeline().firstContext();
    var unused = first == null ? channel.close() : first.close();
  }
}
