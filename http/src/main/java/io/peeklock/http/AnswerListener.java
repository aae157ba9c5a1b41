package io.peeklock.http;

import io.peeklock.runtime.thread.EventLoopThread;

/** Hears how an answer gets on that is being written. */
@EventLoopThread
interface AnswerListener {

  /** A part is written: the peer has time again to take it. */
  void answerGoesOn();

  /**
   * Nothing more of the answer is written.
   *
   * @param whole whether all of it has left; else it breaks off
   */
  void answerEnded(boolean whole);
}
