package io.peeklock.amqp.engine;

import static io.peeklock.amqp.engine.ClientFrames.described;
import static io.peeklock.amqp.engine.ClientFrames.uint;

import io.peeklock.amqp.engine.FuzzedConnection.Chance;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.Symbol;
import io.peeklock.amqp.engine.codec.TypedArray;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Frames that a client might send, and some that none should. */
final class FuzzedFrames {
  private final Chance chance;
  private final int soundness;
  private int nextDelivery;

  FuzzedFrames(Chance chance) {
    this.chance = chance;
    soundness = chance.below(3) == 0 ? 40 : 4000;
  }

  byte[] open() {
    return ClientFrames.frame(
        0, Descriptor.OPEN, "c", null, uint(512 + chance.below(4000)), null, uint(chance.below(9)));
  }

  byte[] next() {
    byte[] frame = sound();
    switch (chance.below(soundness)) {
      case 0 -> frame[chance.below(frame.length)] = (byte) chance.below(256);
      case 1 -> frame[chance.below(frame.length)] ^= (byte) (1 << chance.below(8));
      case 2 -> {
        var noise = new byte[chance.below(20)];
        for (int i = 0; i < noise.length; i++) {
          noise[i] = (byte) chance.below(256);
        }
        return noise;
      }
      default -> {
        return frame;
      }
    }
    return frame;
  }

  private byte[] sound() {
    int channel = chance.below(4) == 0 ? chance.below(5) : 0;
    int handle = chance.below(4);
    return switch (chance.below(16)) {
      case 0 -> ClientFrames.begin(channel, chance.below(30));
      case 1 -> ClientFrames.frame(channel, Descriptor.END);
      case 2, 3 -> ClientFrames.attachReceiver(channel, handle, "r" + handle);
      case 4 -> ClientFrames.attachSender(channel, handle, "s" + handle);
      case 5 -> odd(channel, handle);
      case 6 -> ClientFrames.detach(channel, handle);
      case 7, 8, 9 ->
          ClientFrames.flow(
              channel,
              number(),
              chance.below(40),
              handle,
              number(),
              chance.below(12),
              flip(),
              flip());
      case 10 -> ClientFrames.sessionFlow(channel, number(), chance.below(40), flip());
      case 11 -> transfer(channel, handle);
      case 12 -> new byte[] {0, 0, 0, 8, 2, 0, 0, 0};
      default ->
          ClientFrames.disposition(
              channel, number(), flip() ? null : number() + chance.below(50), flip(), state());
    };
  }

  private byte[] transfer(int channel, int handle) {
    boolean named = chance.below(3) > 0;
    var id = named ? uint(nextDelivery++) : null;
    return ClientFrames.transfer(
        channel, handle, id, flip(), chance.below(3) == 0, chance.below(8) == 0, payload());
  }

  private byte[] odd(int channel, int handle) {
    Map<Symbol, Object> properties =
        Map.of(new Symbol("x"), new Described(new Symbol("unknown"), List.of(1, "two")));
    return ClientFrames.frame(
        channel,
        Descriptor.ATTACH,
        "odd",
        uint(handle),
        flip(),
        null,
        null,
        described(
            Descriptor.SOURCE,
            null,
            null,
            null,
            null,
            flip(),
            null,
            new Symbol("copy"),
            properties),
        flip() ? null : described(Descriptor.COORDINATOR, TypedArray.ofSymbols(List.of("a", "b"))),
        null,
        null,
        uint(number()),
        null,
        null,
        null,
        properties);
  }

  private @Nullable Object state() {
    return switch (chance.below(8)) {
      case 0 -> null;
      case 1 -> described(Descriptor.RECEIVED, uint(0), null);
      case 2 -> described(Descriptor.RELEASED);
      case 3 -> described(Descriptor.MODIFIED, null, flip(), Map.of("k", 1));
      case 4 -> described(Descriptor.REJECTED, (Object) null);
      case 5 ->
          described(
              Descriptor.REJECTED,
              described(Descriptor.ERROR, new Symbol("x:y"), null, Map.of("k", "v")));
      case 6 -> described(Descriptor.TRANSACTIONAL_STATE, new byte[] {1}, ClientFrames.accepted());
      default -> ClientFrames.accepted();
    };
  }

  private byte[] payload() {
    return new byte[chance.below(30)];
  }

  /** Mostly near the ids in use, which start a little below 0. */
  private int number() {
    return chance.below(20) == 0 ? chance.below(1 << 30) * 4 : chance.below(120) - 40;
  }

  private boolean flip() {
    return chance.below(2) == 0;
  }
}
