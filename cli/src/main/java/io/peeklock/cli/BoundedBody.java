package io.peeklock.cli;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** The bytes of an answer, of which no more are kept than a bound; one that is longer fails. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
  private final long mostBytes;
  private long left;
  private @Nullable Subscription subscription;

  BoundedBody(long mostBytes) {
    this.mostBytes = mostBytes;
    this.left = mostBytes;
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    bytes.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (left < 0) {
      return; // was under way when the rest was called off
    }
    for (var buffer : buffers) {
      left -= buffer.remaining();
    }
    if (left >= 0) {
      bytes.onNext(buffers);
      return;
    }
    if (subscription != null) {
      subscription.cancel();
    }
    bytes.onError(new IOException("it is longer than " + mostBytes + " bytes"));
  }

  @Override
  public void onError(Throwable failed) {
    bytes.onError(failed);
  }

  @Override
  public void onComplete() {
    bytes.onComplete();
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return bytes.getBody();
  }
}
