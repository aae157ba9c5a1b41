package io.peeklock.http;

import io.netty.buffer.ByteBuf;

/**
 * Takes the body of one request as it arrives. On the connection's event loop. It may answer the
 * call before the body is whole: the connection then ends with that answer.
 */
public interface BodySink {

  /** Takes bytes, which are valid during the call. */
  void take(ByteBuf part);

  /**
   * Whether more bytes should come now; asked after each part. When not, nothing is read until
   * {@link HttpCall#readOn()}.
   */
  boolean hasRoom();

  /** The body is whole: the call is to be answered, now or later. */
  void end();

  /** The body does not become whole, or has become so small that it was held; nothing follows. */
  void drop();
}
