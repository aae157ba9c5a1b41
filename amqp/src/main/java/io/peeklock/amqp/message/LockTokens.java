package io.peeklock.amqp.message;

import io.netty.buffer.ByteBuf;
import io.peeklock.amqp.engine.codec.AmqpWriter;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Lock tokens: 16 bytes that stand for a lock id and that nobody else can make (S-097, amqp.md
 * 4.4). One AES block over the id and a constant, under a key of this start, so tokens never repeat
 * and an old or invented one decrypts to something without the constant.
 *
 * <p>Delivery tags carry a token in the order of .NET's GUIDs; {@code $management} carries it as a
 * uuid in RFC order (T-34). Not for two threads; make one for each.
 */
public final class LockTokens {
  /** What an unknown token stands for; no lock has this id. */
  static final long UNKNOWN = 0;

  private static final int BLOCK = 16;

  private final Cipher minting;
  private final Cipher reading;
  private final long mark;
  private byte[] plain = new byte[64 * BLOCK];
  private final byte[] one = new byte[BLOCK];

  /** The secret that all token makers of a process share. */
  public record Key(SecretKey key, long mark) {
    public static Key random() {
      var random = new SecureRandom();
      var bytes = new byte[BLOCK];
      random.nextBytes(bytes);
      return new Key(new SecretKeySpec(bytes, "AES"), random.nextLong());
    }

    @Override
    public String toString() {
      return "Key[hidden]";
    }
  }

  public LockTokens(Key key) {
    this.mark = key.mark();
    this.minting = cipher(key, Cipher.ENCRYPT_MODE);
    this.reading = cipher(key, Cipher.DECRYPT_MODE);
  }

  /** The tags of many locks, 16 bytes each, in one pass. */
  byte[] mint(long[] lockIds) {
    var bytes = lockIds.length * BLOCK;
    if (plain.length < bytes) {
      plain = new byte[bytes];
    }
    for (var i = 0; i < lockIds.length; i++) {
      putLong(plain, i * BLOCK, lockIds[i]);
      putLong(plain, i * BLOCK + 8, mark);
    }
    var tags = new byte[bytes];
    run(minting, plain, bytes, tags);
    return tags;
  }

  /** The token of a tag, in RFC order. */
  public static UUID uuid(byte[] tags, int index) {
    return new UUID(swap(getLong(tags, index * BLOCK)), getLong(tags, index * BLOCK + 8));
  }

  /** Writes the token of a tag as an AMQP value. */
  static void writeUuid(ByteBuf out, byte[] tags, int index) {
    AmqpWriter.writeUuid(out, swap(getLong(tags, index * BLOCK)), getLong(tags, index * BLOCK + 8));
  }

  /** First eight bytes of a tag. */
  public static long high(byte[] tags, int index) {
    return getLong(tags, index * BLOCK);
  }

  /** Last eight bytes of a tag. */
  public static long low(byte[] tags, int index) {
    return getLong(tags, index * BLOCK + 8);
  }

  /**
   * The lock that a token stands for.
   *
   * @param token in RFC order
   * @return {@link #UNKNOWN} when it was not minted here
   */
  public long lockOf(UUID token) {
    var out = new byte[BLOCK];
    putLong(one, 0, swap(token.getMostSignificantBits()));
    putLong(one, 8, token.getLeastSignificantBits());
    run(reading, one, BLOCK, out);
    return getLong(out, 8) == mark ? getLong(out, 0) : UNKNOWN;
  }

  /** Turns the first half of a GUID between .NET's order and RFC order; its own inverse. */
  private static long swap(long half) {
    var first = Integer.reverseBytes((int) (half >>> 32));
    var second = Short.reverseBytes((short) (half >>> 16));
    var third = Short.reverseBytes((short) half);
    return (long) first << 32 | (second & 0xffffL) << 16 | (third & 0xffffL);
  }

  private static Cipher cipher(Key key, int mode) {
    try {
      // Each block is a distinct counter value, so the blocks need no chaining.
      var cipher = Cipher.getInstance("AES/ECB/NoPadding");
      cipher.init(mode, key.key());
      return cipher;
    } catch (GeneralSecurityException missing) {
      throw new IllegalStateException("every JDK has AES", missing);
    }
  }

  private static void run(Cipher cipher, byte[] in, int length, byte[] out) {
    try {
      cipher.doFinal(in, 0, length, out, 0);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("whole blocks always fit", impossible);
    }
  }

  private static void putLong(byte[] bytes, int at, long value) {
    for (var i = 0; i < 8; i++) {
      bytes[at + i] = (byte) (value >>> (56 - 8 * i));
    }
  }

  private static long getLong(byte[] bytes, int at) {
    var value = 0L;
    for (var i = 0; i < 8; i++) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    return value;
  }
}
