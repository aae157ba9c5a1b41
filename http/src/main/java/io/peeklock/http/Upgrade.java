package io.peeklock.http;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.peeklock.runtime.thread.EventLoopThread;

/** Turns a connection into another protocol. */
@EventLoopThread
public interface Upgrade {

  /** The path on which it is asked for, with or without a slash at its end. */
  String path();

  /** The answer to the request, which has no body: 101, or an error. */
  FullHttpResponse answer(HttpRequest request);

  /**
   * After the 101 is on its way: adds the handlers of the other protocol at the end of the
   * pipeline. HTTP then leaves it, and hands over what it has read too much.
   *
   * @param authority the host, with the port where one was given, that the request named
   */
  void enter(ChannelPipeline pipeline, String authority);
}
