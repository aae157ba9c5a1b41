package io.peeklock.runtime;

import io.peeklock.kernel.effect.Effect;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The stored bodies that an effect is delivered with. */
final class EffectBodies {
  private EffectBodies() {}

  /** The body ids of an effect, in its order; null for an effect without bodies. */
  static long @Nullable [] of(Effect effect) {
    if (effect instanceof Effect.SessionStateRead read) {
      return one(read.bodyId());
    }
    if (effect instanceof Effect.Enlisted enlisted) {
      return one(enlisted.overlayId());
    }
    var messages =
        switch (effect) {
          case Effect.Delivered delivered -> delivered.messages();
          case Effect.Peeked peeked -> peeked.messages();
          case Effect.DeferredReceived received -> received.messages();
          case Effect.Drained ignored -> null;
          case Effect.SendAnswered ignored -> null;
          case Effect.Cancelled ignored -> null;
          case Effect.SessionAccepted ignored -> null;
          case Effect.SessionLost ignored -> null;
          case Effect.SessionStateRead ignored -> null;
          case Effect.SessionStateStored ignored -> null;
          case Effect.SessionsListed ignored -> null;
          case Effect.SettleAnswered ignored -> null;
          case Effect.Enlisted ignored -> null;
          case Effect.TransactionEnded ignored -> null;
          case Effect.Renewed ignored -> null;
          case Effect.QueueReady ignored -> null;
          case Effect.QueueChanged ignored -> null;
          case Effect.MessagesCounted ignored -> null;
          case Effect.MessagesDeleted ignored -> null;
          case Effect.ReceiverEnded ignored -> null;
          case Effect.RulesChanged ignored -> null;
          case Effect.RulesListed ignored -> null;
          case Effect.Refused ignored -> null;
        };
    if (messages == null || messages.count() == 0) {
      return null;
    }
    var bodies = messages.bodyIds();
    var overlayIds = messages.overlayIds();
    if (overlayIds == null) {
      return bodies;
    }
    var all = Arrays.copyOf(bodies, bodies.length + overlayIds.length);
    var count = bodies.length;
    for (var id : overlayIds) {
      if (id != 0) {
        all[count++] = id;
      }
    }
    return Arrays.copyOf(all, count);
  }

  private static long @Nullable [] one(long bodyId) {
    return bodyId == 0 ? null : new long[] {bodyId};
  }
}
