package io.peeklock.amqp;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.peeklock.runtime.Bodies;
import io.peeklock.runtime.BodyArena;
import io.peeklock.runtime.Broker;
import io.peeklock.runtime.Catalogue;
import io.peeklock.runtime.Endpoint;
import io.peeklock.runtime.LargeBody;
import io.peeklock.runtime.StagedBodies;
import io.peeklock.runtime.Submission;
import io.peeklock.runtime.meter.RoomMeter;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Has the n-th call fail that the edge makes to whoever is below it: broker, arena, memory. */
final class Faults {
  private int left;
  private @Nullable Supplier<? extends Throwable> fault;

  /** From now on the call with this number fails, from 1; once. */
  void arm(int call, Supplier<? extends Throwable> how) {
    left = call;
    fault = how;
  }

  boolean isArmed() {
    return fault != null;
  }

  /** No call fails any more; whether one did. */
  boolean disarm() {
    var fired = fault == null;
    fault = null;
    return fired;
  }

  private void call() {
    var how = fault;
    if (how != null && --left == 0) {
      fault = null;
      throwIt(how.get());
    }
  }

  private static void throwIt(Throwable fault) {
    if (fault instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) fault;
  }

  Broker broker(Broker real) {
    return new Broker() {
      @Override
      public boolean submit(Submission submission) {
        call();
        return real.submit(submission);
      }

      @Override
      public Catalogue catalogue() {
        call();
        return real.catalogue();
      }

      @Override
      public void watch(Runnable changed) {
        real.watch(changed);
      }

      @Override
      public BodyArena newArena() {
        return arena(real.newArena());
      }

      @Override
      public RoomMeter room() {
        return real.room();
      }

      @Override
      public void unreadable(Endpoint receiver, String reason) {
        real.unreadable(receiver, reason);
      }
    };
  }

  private BodyArena arena(BodyArena real) {
    return new BodyArena() {
      @Override
      public void begin() {
        call();
        real.begin();
      }

      @Override
      public ByteBuffer reserve(int maxBytes) {
        call();
        return real.reserve(maxBytes);
      }

      @Override
      public void commit() {
        call();
        real.commit();
      }

      @Override
      public void commit(LargeBody.Staged large) {
        call();
        real.commit(large);
      }

      @Override
      public StagedBodies end() {
        call();
        return real.end();
      }

      @Override
      public void drop() {
        real.drop(); // what gives back does not fail
      }

      @Override
      public LargeBody.Writer openLarge(long maxBytes) {
        call();
        return real.openLarge(maxBytes);
      }

      @Override
      public long mostLargeBytes() {
        return real.mostLargeBytes();
      }

      @Override
      public boolean hasRoom() {
        call();
        return real.hasRoom();
      }
    };
  }

  /** Bodies on their way out. */
  Bodies bodies(Bodies real) {
    return new Bodies() {
      @Override
      public int count() {
        return real.count();
      }

      @Override
      public ByteBuffer buffer(int i) {
        call();
        return real.buffer(i);
      }

      @Override
      public int offset(int i) {
        return real.offset(i);
      }

      @Override
      public int length(int i) {
        call();
        return real.length(i);
      }

      @Override
      public @Nullable LargeBody large(int i) {
        return real.large(i);
      }

      @Override
      public void release() {
        real.release();
      }
    };
  }

  /** Network buffers, of one connection say. */
  ByteBufAllocator memory() {
    return new AbstractByteBufAllocator(false) {
      @Override
      protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        call();
        return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
      }

      @Override
      protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        return newHeapBuffer(initialCapacity, maxCapacity);
      }

      @Override
      public boolean isDirectBufferPooled() {
        return false;
      }
    };
  }
}
