package io.peeklock.runtime;

import io.peeklock.kernel.effect.Effect;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Where effects wait until what they rest on is durable (design.md 2, the gate). One line for each
 * endpoint keeps its order; lines do not wait for each other. A second key, leadership confirmed,
 * is always open on a single node.
 */
final class Gate {
  private static final RateLimitedLog FAULTS =
      new RateLimitedLog(LoggerFactory.getLogger(Gate.class));

  private final BiConsumer<Effect.Delivered, String> undeliverable;
  private final Consumer<Effect.Delivered> undelivered;
  private final List<Endpoint> waiting = new ArrayList<>();
  private final List<Endpoint> told = new ArrayList<>();
  private final StageWatch watch;
  private long durable;
  private int epoch;

  /** One endpoint's effects, in order. */
  static final class Line {
    private final ArrayDeque<Waiting> effects = new ArrayDeque<>();
    private boolean listed;
    private boolean touched;
  }

  /** One effect and what it waits for. */
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
        if (effect instanceof Effect.Delivered delivered) {
          gate.undelivered.accept(delivered);
        }
      } else {
        unreadable = reason;
        if (effect instanceof Effect.Delivered delivered) {
          gate.undeliverable.accept(delivered, reason);
        }
      }
    }
  }

  /**
   * A gate that nothing waits at.
   *
   * @param undeliverable told, with the reason, about a delivery whose bodies cannot be read; it
   *     tells the receiver too
   * @param undelivered told about one whose bodies may be whole and could not be had: its receiver
   *     is given up, and others can have the messages
   * @param watch sees reads that stand still
   */
  Gate(
      long durable,
      BiConsumer<Effect.Delivered, String> undeliverable,
      Consumer<Effect.Delivered> undelivered,
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
   * @param index what must be durable; at least what the effect says, or the last batch there is
   * @param bodyIds what must be loaded; null for nothing
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

  /** A read was answered, whatever became of it; the others go on waiting. */
  private void answered(Waiting read) {
    if (read.epoch == epoch) {
      watch.answered(read.mark);
    }
  }

  /** The log is durable up to here: lets out what waited for it. The caller flushes. */
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
        told.add(endpoint);
      }
    }
  }

  /** A fault of whoever is told is not the shard's: that one is given up. */
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

  /** Ends the run of everybody who was told something. */
  void flush() {
    for (var endpoint : told) {
      endpoint.line.touched = false;
    }
    // flush may admit nothing and tell nobody: it only writes.
    for (var i = 0; i < told.size(); i++) {
      flush(told.get(i));
    }
    told.clear();
  }

  private static void flush(Endpoint endpoint) {
    try {
      endpoint.flush();
    } catch (RuntimeException | Error fault) {
      lose(endpoint, fault);
    }
  }

  /** Forgets everything: the term is over. */
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
