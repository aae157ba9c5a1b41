package io.peeklock.amqp.engine;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The delivery state that a peer's transfer or disposition carries. One object per engine, filled
 * once per frame: valid only during the callback that hands it out.
 */
public final class PeerState {
  /** Which outcome; inside of a transaction, the outcome of the transactional state. */
  public enum Kind {
    /** No state, or a transactional state without an outcome. */
    NONE,
    ACCEPTED,
    REJECTED,
    RELEASED,
    MODIFIED,
    /** Not an outcome: how much of a delivery arrived. Never reported for dispositions. */
    RECEIVED,
    /** Only ever sent by a coordinator; from a client it means nothing. */
    DECLARED
  }

  PeerState() {}

  public Kind kind() {
    throw new UnsupportedOperationException();
  }

  /** Whether the state was a {@code transactional-state}. */
  public boolean isTransactional() {
    throw new UnsupportedOperationException();
  }

  /** The transaction of a transactional state, else null. A new object on first use per frame. */
  public @Nullable TransactionId transaction() {
    throw new UnsupportedOperationException();
  }

  /** {@code modified.delivery-failed}; null and absent are false. */
  public boolean deliveryFailed() {
    throw new UnsupportedOperationException();
  }

  /** {@code modified.undeliverable-here}; null and absent are false. */
  public boolean undeliverableHere() {
    throw new UnsupportedOperationException();
  }

  /**
   * Whether {@code rejected} came with an error. A bare one is legal: NET dead-letters so (T-40).
   */
  public boolean hasError() {
    throw new UnsupportedOperationException();
  }

  /** {@code rejected.error} decoded, else null. */
  public @Nullable AmqpError error() {
    throw new UnsupportedOperationException();
  }

  /** {@code rejected.error.condition}, else null. */
  public @Nullable String errorCondition() {
    throw new UnsupportedOperationException();
  }

  /**
   * {@code rejected.error.info} with keys as texts, whether they were strings or symbols; empty
   * when there is none. In Java types of {@code AmqpValues}.
   */
  public Map<String, @Nullable Object> errorInfo() {
    throw new UnsupportedOperationException();
  }

  /**
   * {@code modified.message-annotations} with keys as texts, whether they were strings or symbols;
   * empty when there are none.
   */
  public Map<String, @Nullable Object> messageAnnotations() {
    throw new UnsupportedOperationException();
  }

  /** The buffer that the raw offsets below point into. */
  public ByteBuf buffer() {
    throw new UnsupportedOperationException();
  }

  /**
   * Where the encoded map to merge is: {@code error.info} for rejected, {@code message-annotations}
   * for modified; -1 when there is none. The map starts at its constructor.
   */
  public int mapOffset() {
    throw new UnsupportedOperationException();
  }

  /** How many bytes the encoded map of {@link #mapOffset} takes, or 0. */
  public int mapLength() {
    throw new UnsupportedOperationException();
  }

  /**
   * The answer that says yes: the same outcome type without error, inside of the same transaction
   * (amqp.md 5.2). {@link Kind#NONE} gives accepted. Without garbage unless transactional; then one
   * object per frame.
   */
  public Outcome echo() {
    throw new UnsupportedOperationException();
  }

  /** Wraps an answer into the transaction of this state, if it has one. */
  public Outcome inSameTransaction(Outcome answer) {
    throw new UnsupportedOperationException();
  }
}
