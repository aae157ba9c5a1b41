package io.peeklock.runtime;

import io.peeklock.kernel.effect.Effect;
import io.peeklock.runtime.thread.ShardThread;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Holds effects until the facts that they rest on are durable. One line for each endpoint keeps its
 * order; lines do not wait for each other.
 */
@ShardThread
final class Gate {
  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(Gate.class));

  private final BiConsumer<Effect.Delivered, String> undeliverable;
  private final Consumer<Effect> undelivered;
  private final List<Endpoint> waiting = new ArrayList<>();
  private final List<Endpoint> notified = new ArrayList<>();
  private final StageWatch watch;
  private long durable;
  private int epoch;

  /** One endpoint's effects, in order. */
  static final class Line {
    private final ArrayDeque<Waiting> effects = new ArrayDeque<>();
    private boolean listed;
    private boolean touched;
  }

  /** One effect and the index and bodies that it waits for. */
  private static final class Waiting implements BodyStorage.LoadListener {
    private final Gate gate;
    private final int epoch;
    private final Endpoint endpoint;
    private final Effect effect;
    private final long index;
    private @Nullable Bodies bodies;
    private boolean loading;
    private int mark;
    private @Nullable String unreadable;
    private @Nullable ReadFault fault;

    Waiting(Gate gate, Endpoint endpoint, Effect effect, long index) {
      this.gate = gate;
      this.epoch = gate.epoch;
      this.endpoint = endpoint;
      this.effect = effect;
      this.index = index;
    }

    @Override
    public void loaded(Bodies loaded) {
      loading = false;
      gate.answered(this);
      if (epoch != gate.epoch) {
        loaded.release();
        return;
      }
      bodies = loaded;
      gate.openLine(endpoint);
      gate.flush();
    }

    @Override
    public void unreadable(long bodyId, IOException cause) {
      loading = false;
      gate.answered(this);
      if (epoch == gate.epoch) {
        failed("body " + bodyId + ": " + cause.getMessage(), cause);
        gate.openLine(endpoint);
        gate.flush();
      }
    }

    private void failed(String reason, IOException cause) {
      if (cause instanceof ReadFault ours) {
        fault = ours;
        gate.undelivered.accept(effect);
      } else {
        unreadable = reason;
        if (effect instanceof Effect.Delivered delivered) {
          gate.undeliverable.accept(delivered, reason);
        } else {
          gate.undelivered.accept(effect);
        }
      }
    }
  }

  /**
   * A gate without effects.
   *
   * @param undeliverable called, with the reason, for a delivery whose bodies cannot be read; it
   *     informs the receiver too
   * @param undelivered called for an effect that does not go out, as its bodies were not read,
   *     though they may be intact: whoever waits for it is given up, and others can get its
   *     messages
   * @param watch notices reads that stall
   */
  Gate(
      long durable,
      BiConsumer<Effect.Delivered, String> undeliverable,
      Consumer<Effect> undelivered,
      StageWatch watch) {
    this.durable = durable;
    this.undeliverable = undeliverable;
    this.undelivered = undelivered;
    this.watch = watch;
  }

  long durable() {
    return durable;
  }

  /**
   * Takes an effect.
   *
   * @param index the batch that must be durable; at least the effect's index, or the last batch
   *     there is
   * @param bodyIds the bodies that must be loaded; null for none
   */
  void admit(Effect effect, long index, long @Nullable [] bodyIds, BodyStorage storage) {
    var endpoint = (Endpoint) effect.to();
    endpoint.decided(effect);
    var next = new Waiting(this, endpoint, effect, index);
    if (bodyIds != null) {
      next.loading = true;
      var bodies = storage.fetch(bodyIds, next);
      if (bodies != null) {
        next.loading = false;
        next.bodies = bodies;
      } else {
        next.mark = watch.asked();
      }
    }
    endpoint.line.effects.add(next);
    if (endpoint.line.effects.size() == 1) {
      openLine(endpoint);
    }
  }

  /** Handles the end of a read, successful or not; other effects keep waiting. */
  private void answered(Waiting read) {
    if (read.epoch == epoch) {
      watch.answered(read.mark);
    }
  }

  /** Lets out the effects that waited for this index. The caller then calls {@link #flush}. */
  void open(long durableIndex) {
    durable = Math.max(durable, durableIndex);
    var kept = 0;
    for (var i = 0; i < waiting.size(); i++) {
      var endpoint = waiting.get(i);
      letOut(endpoint);
      if (endpoint.line.effects.isEmpty()) {
        endpoint.line.listed = false;
      } else {
        waiting.set(kept++, endpoint);
      }
    }
    waiting.subList(kept, waiting.size()).clear();
  }

  private void openLine(Endpoint endpoint) {
    letOut(endpoint);
    var line = endpoint.line;
    if (!line.effects.isEmpty() && !line.listed) {
      line.listed = true;
      waiting.add(endpoint);
    }
  }

  private void letOut(Endpoint endpoint) {
    var line = endpoint.line;
    for (var next = line.effects.peek(); next != null; next = line.effects.peek()) {
      if (next.index > durable || next.loading) {
        return;
      }
      line.effects.remove();
      if (next.fault != null) {
        lose(endpoint, next.fault);
      } else if (next.unreadable == null) {
        tell(endpoint, next);
      } else if (!(next.effect instanceof Effect.Delivered)) {
        endpoint.unreadable(next.unreadable);
      }
      if (!line.touched) {
        line.touched = true;
        notified.add(endpoint);
      }
    }
  }

  /** An exception in an endpoint is not the shard's fault: that endpoint is given up. */
  private static void tell(Endpoint endpoint, Waiting next) {
    try {
      endpoint.onEffect(next.effect, next.bodies);
    } catch (RuntimeException | Error fault) {
      if (next.bodies != null) {
        next.bodies.drop();
      }
      lose(endpoint, fault);
    }
  }

  private static void lose(Endpoint endpoint, Throwable fault) {
    FAULTS.error(fault, "An answer could not be told, and whoever waits for it is given up");
    try {
      endpoint.lost(fault);
    } catch (RuntimeException | Error again) {
      FAULTS.error(again, "Whoever waits for an answer could not be given up");
    }
  }

  /** Flushes every endpoint that got an effect. */
  void flush() {
    for (var endpoint : notified) {
      endpoint.line.touched = false;
    }
    // A flush must neither admit nor deliver effects: it only writes.
    for (var i = 0; i < notified.size(); i++) {
      flush(notified.get(i));
    }
    notified.clear();
  }

  private static void flush(Endpoint endpoint) {
    try {
      endpoint.flush();
    } catch (RuntimeException | Error fault) {
      lose(endpoint, fault);
    }
  }

  /** Drops all effects, as the term is over. */
  void discard() {
    epoch++;
    watch.forget();
    for (var endpoint : waiting) {
      var line = endpoint.line;
      for (var next : line.effects) {
        if (next.bodies != null) {
          next.bodies.release();
        }
      }
      line.effects.clear();
      line.listed = false;
    }
    waiting.clear();
  }
}
