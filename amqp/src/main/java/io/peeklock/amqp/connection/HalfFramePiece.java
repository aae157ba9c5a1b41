package io.peeklock.amqp.connection;

import io.peeklock.amqp.engine.limits.Allowance;
import io.peeklock.amqp.engine.limits.HalfFrameListener;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.link.LinkConnection;
import io.peeklock.amqp.link.SlowInput;
import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.intake.Piece;
import org.slf4j.LoggerFactory;

/** The frame of a connection of which a part has come: the connection gives way with it. */
final class HalfFramePiece extends SlowInput implements HalfFrameListener {
  private static final RateLimitedLog CLOSED =
      new RateLimitedLog(LoggerFactory.getLogger(HalfFramePiece.class));

  private final Piece piece;

  HalfFramePiece(LinkConnection connection) {
    super(connection);
    this.piece = new Piece(connection.edge().budgets().halfReceived(), this);
  }

  /** A little is kept in any case, and hurts nobody. */
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

  /** The client is not waited for: what has come of the frame would stay as long. */
  @Override
  public void refuse() {
    CLOSED.warn("A frame of {} gave way to others", connection.channel().remoteAddress());
    connection.edge().budgets().partialBytes().refuse();
    connection.close(connection.errors().error(Conditions.RESOURCE_LIMIT_EXCEEDED, SENTENCE, ""));
    connection.endBurst();
    connection.lost();
  }
}
