package io.peeklock.amqp.engine.messaging;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.AmqpDecodeException;
import io.peeklock.amqp.engine.codec.AmqpReader;
import io.peeklock.amqp.engine.codec.AmqpValues;
import io.peeklock.amqp.engine.codec.Descriptor;
import io.peeklock.amqp.engine.codec.FormatCode;
import io.peeklock.amqp.engine.framing.AmqpError;
import io.peeklock.amqp.engine.framing.Performative;
import io.peeklock.amqp.engine.framing.ProtocolViolation;
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
    /** Sent by coordinators only; from a client it has no meaning. */
    DECLARED
  }

  private final AmqpReader reader = new AmqpReader();
  private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
  private Kind kind = Kind.NONE;
  private boolean transactional;
  private int transactionOffset;
  private int transactionLength;
  private @Nullable TransactionId transaction;
  private boolean deliveryFailed;
  private boolean undeliverableHere;
  private int conditionOffset;
  private int descriptionOffset;
  private int mapOffset;
  private int mapLength;
  private int deliveries = 1;
  private @Nullable Outcome echo;
  private @Nullable Object attachment;

  /** None yet; the engine fills it frame by frame. */
  public PeerState() {
    clear();
  }

  public Kind kind() {
    return kind;
  }

  /** Whether the state was a {@code transactional-state}. */
  public boolean isTransactional() {
    return transactional;
  }

  /** The transaction of a transactional state, else null. A new object on first use per frame. */
  public @Nullable TransactionId transaction() {
    if (transactional && transaction == null) {
      var bytes = new byte[transactionLength];
      buffer.getBytes(transactionOffset, bytes);
      transaction = TransactionId.of(bytes);
    }
    return transaction;
  }

  /** {@code modified.delivery-failed}; null and absent are false. */
  public boolean deliveryFailed() {
    return deliveryFailed;
  }

  /** {@code modified.undeliverable-here}; null and absent are false. */
  public boolean undeliverableHere() {
    return undeliverableHere;
  }

  /**
   * Whether {@code rejected} came with an error. A bare one is legal: NET dead-letters so (T-40).
   */
  public boolean hasError() {
    return conditionOffset >= 0;
  }

  /** {@code rejected.error} decoded, else null. */
  public @Nullable AmqpError error() {
    String condition = errorCondition();
    return condition == null ? null : new AmqpError(condition, description(), errorInfo());
  }

  /** {@code rejected.error.condition}, else null. */
  public @Nullable String errorCondition() {
    return conditionOffset < 0 ? null : textAt(conditionOffset);
  }

  /**
   * {@code rejected.error.info} with keys as texts, whether they were strings or symbols; empty
   * when there is none. In Java types of {@code AmqpValues}.
   */
  public Map<String, @Nullable Object> errorInfo() {
    return kind == Kind.REJECTED ? map() : Map.of();
  }

  /**
   * {@code modified.message-annotations} with keys as texts, whether they were strings or symbols;
   * empty when there are none.
   */
  public Map<String, @Nullable Object> messageAnnotations() {
    return kind == Kind.MODIFIED ? map() : Map.of();
  }

  /** The buffer that the raw offsets below point into. */
  public ByteBuf buffer() {
    return buffer;
  }

  /**
   * Where the encoded map to merge is: {@code error.info} for rejected, {@code message-annotations}
   * for modified; -1 when there is none. The map starts at its constructor.
   */
  public int mapOffset() {
    return mapOffset;
  }

  /** How many bytes the encoded map of {@link #mapOffset} takes, or 0. */
  public int mapLength() {
    return mapLength;
  }

  /**
   * How many deliveries of its session the frame is reported for, each of which gets the map.
   * Counted only when there is a map; otherwise 1.
   */
  public int deliveries() {
    return deliveries;
  }

  /** Sets for how many deliveries the frame is reported. */
  public void isFor(int manyDeliveries) {
    deliveries = manyDeliveries;
  }

  /** The edge's own object for this frame, shared by all deliveries that it is reported for. */
  public @Nullable Object attachment() {
    return attachment;
  }

  /** Keeps an object until the next frame. */
  public void attach(Object made) {
    attachment = made;
  }

  /**
   * The answer that says yes: the same outcome type without error, inside of the same transaction
   * (amqp.md 5.2). {@link Kind#NONE} gives accepted. Without garbage unless transactional; then one
   * object per frame.
   */
  public Outcome echo() {
    if (echo == null) {
      echo = inSameTransaction(bareOutcome());
    }
    return echo;
  }

  /** Wraps an answer into the transaction of this state, if it has one. */
  public Outcome inSameTransaction(Outcome answer) {
    TransactionId id = transaction();
    return id == null ? answer : new Outcome.Transactional(id, answer);
  }

  void clear() {
    kind = Kind.NONE;
    transactional = false;
    transaction = null;
    deliveryFailed = false;
    undeliverableHere = false;
    conditionOffset = -1;
    descriptionOffset = -1;
    mapOffset = -1;
    mapLength = 0;
    deliveries = 1;
    echo = null;
    attachment = null;
  }

  /** Reads the state in a field of a performative that was checked; null gives NONE. */
  public void read(Performative fields, int field) {
    clear();
    if (!fields.has(field)) {
      return;
    }
    buffer = fields.buffer();
    reader.reset(buffer, fields.offset(field), fields.length(field));
    try {
      readState(reader.readDescriptor());
    } catch (AmqpDecodeException malformed) {
      throw ProtocolViolation.undecodable(malformed);
    }
  }

  /**
   * Drops a state that is no outcome: a settled disposition with one only says that the client
   * forgot the delivery.
   */
  public void dropNonTerminal() {
    if (kind == Kind.RECEIVED || kind == Kind.DECLARED) {
      clear();
    }
  }

  private void readState(long descriptor) {
    if (descriptor == Descriptor.TRANSACTIONAL_STATE) {
      readTransactional();
    } else {
      readOutcome(descriptor);
    }
  }

  private void readTransactional() {
    int fields = reader.enterList();
    if (fields == 0 || !isBinary()) {
      throw new AmqpDecodeException("a transactional state without txn-id");
    }
    transactionLength = reader.readContent();
    transactionOffset = reader.contentOffset();
    transactional = true;
    if (fields > 1 && !reader.readNull()) {
      readOutcome(reader.readDescriptor());
    }
  }

  private boolean isBinary() {
    int code = reader.peekCode();
    return code == FormatCode.BIN8 || code == FormatCode.BIN32;
  }

  private void readOutcome(long descriptor) {
    int fields = reader.enterList();
    switch ((int) descriptor) {
      case (int) Descriptor.ACCEPTED -> kind = Kind.ACCEPTED;
      case (int) Descriptor.RELEASED -> kind = Kind.RELEASED;
      case (int) Descriptor.RECEIVED -> kind = Kind.RECEIVED;
      case (int) Descriptor.DECLARED -> kind = Kind.DECLARED;
      case (int) Descriptor.REJECTED -> readRejected(fields);
      case (int) Descriptor.MODIFIED -> readModified(fields);
      default -> throw new AmqpDecodeException("not a delivery state");
    }
  }

  private void readRejected(int fields) {
    kind = Kind.REJECTED;
    if (fields == 0 || reader.readNull()) {
      return;
    }
    if (reader.readDescriptor() != Descriptor.ERROR) {
      throw new AmqpDecodeException("rejected.error is not an error");
    }
    int errorFields = reader.enterList();
    if (errorFields == 0) {
      throw new AmqpDecodeException("an error without condition");
    }
    conditionOffset = locateText();
    if (errorFields > 1 && !reader.readNull()) {
      descriptionOffset = locateText();
    }
    if (errorFields > 2) {
      locateMap();
    }
  }

  private void readModified(int fields) {
    kind = Kind.MODIFIED;
    deliveryFailed = fields > 0 && !reader.readNull() && reader.readBoolean();
    undeliverableHere = fields > 1 && !reader.readNull() && reader.readBoolean();
    if (fields > 2) {
      locateMap();
    }
  }

  private int locateText() {
    int at = reader.position();
    if (isBinary()) {
      throw new AmqpDecodeException("bytes where text must be");
    }
    reader.readContent();
    return at;
  }

  /** Notes where a map is, after its keys proved to be texts: decoding it later cannot fail. */
  private void locateMap() {
    if (reader.readNull()) {
      return;
    }
    int at = reader.position();
    for (int left = reader.enterMap(); left > 0; left -= 2) {
      locateText();
      reader.skip();
    }
    mapOffset = at;
    mapLength = reader.position() - at;
  }

  private Map<String, @Nullable Object> map() {
    return mapOffset < 0
        ? Map.of()
        : AmqpValues.decodeTextMap(new AmqpReader().reset(buffer, mapOffset, mapLength));
  }

  private @Nullable String description() {
    return descriptionOffset < 0 ? null : textAt(descriptionOffset);
  }

  private @Nullable String textAt(int offset) {
    return new AmqpReader().reset(buffer, offset, buffer.writerIndex() - offset).readText();
  }

  private Outcome bareOutcome() {
    return switch (kind) {
      case REJECTED -> Outcome.REJECTED;
      case RELEASED -> Outcome.RELEASED;
      case MODIFIED -> Outcome.MODIFIED;
      case NONE, ACCEPTED, RECEIVED, DECLARED -> Outcome.ACCEPTED;
    };
  }
}
