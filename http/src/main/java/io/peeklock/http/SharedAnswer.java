package io.peeklock.http;

import io.peeklock.runtime.thread.AnyThread;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A question that takes work to answer and that anybody may ask: all who ask while it is being
 * answered, or within some time after it was asked, get one answer. So whoever asks in a flood
 * costs no more than who asks every now and then.
 */
@AnyThread
public final class SharedAnswer<T> implements Supplier<CompletableFuture<T>> {
  private final Supplier<CompletableFuture<T>> question;
  private final long freshNanos;
  private final LongSupplier nanos;
  private @Nullable CompletableFuture<T> answer;
  private long askedNanos;

  /**
   * A question that nobody has asked yet.
   *
   * @param question must be answered at some time, or those who ask wait for ever
   * @param freshMillis for how long an answer is good, from 0
   * @param nanos monotonic
   */
  public SharedAnswer(
      Supplier<CompletableFuture<T>> question, long freshMillis, LongSupplier nanos) {
    this.question = question;
    this.freshNanos = TimeUnit.MILLISECONDS.toNanos(freshMillis);
    this.nanos = nanos;
  }

  /** The answer; not to be completed by who asks. */
  @Override
  public synchronized CompletableFuture<T> get() {
    long now = nanos.getAsLong();
    var known = answer;
    if (known == null || (known.isDone() && now - askedNanos >= freshNanos)) {
      known = question.get();
      answer = known;
      askedNanos = now;
    }
    return known;
  }
}
