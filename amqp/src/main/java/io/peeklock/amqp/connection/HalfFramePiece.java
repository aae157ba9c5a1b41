package io.peeklock.amqp.connection;

import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.HalfFrameListener;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.SlowInput;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.intake.Piece;
import org.slf4j.LoggerFactory;

/** The half-received frame of a connection; if it must give way the connection is closed. */
final class HalfFramePiece extends SlowInput implements HalfFrameListener {
  private static final RateLimitedLog CLOSED =
      new RateLimitedLog(LoggerFactory.getLogger(HalfFramePiece.class));

  private final Piece piece;

  HalfFramePiece(LinkConnection connection) {
    super(connection);
    this.piece = new Piece(connection.edge().budgets().halfReceived(), this);
  }

  /** Counts input; small amounts are not counted, as they hurt nobody. */
  @Override
  public void came(int bytes, int held) {
    if (held > Allowance.SMALL_INPUT_BYTES) {
      piece.came(bytes, held);
    }
  }

  @Override
  public void gone() {
    piece.end();
  }

  void close() {
    piece.close();
  }

  @Override
  public long unreadMillis(long nowMillis) {
    return connection.holdings().isUnauthenticated()
        ? Long.MAX_VALUE
        : super.unreadMillis(nowMillis);
  }

  /**
   * Closes the connection without waiting for the client, as the frame would keep its memory
   * meanwhile.
   */
  @Override
  public void refuse() {
    CLOSED.warn("A frame of {} gave way to others", connection.channel().remoteAddress());
    connection.edge().budgets().partialBytes().refuse();
    connection.close(connection.errors().error(Conditions.RESOURCE_LIMIT_EXCEEDED, SENTENCE, ""));
    connection.endBurst();
    connection.lost();
  }
}
