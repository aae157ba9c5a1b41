package io.peeklock.amqp.link;

import io.peeklock.runtime.intake.PieceOwner;
import java.util.concurrent.TimeUnit;

/** Arriving input of a connection that takes room of a shared budget. */
public abstract class SlowInput implements PieceOwner {
  public static final String SENTENCE =
      "What is half received came too slowly, while others wait for its room. A retry may help";

  public final LinkConnection connection;

  public SlowInput(LinkConnection connection) {
    this.connection = connection;
  }

  /** Ends the link or connection that it belongs to, with {@link #SENTENCE}. */
  public abstract void refuse();

  @Override
  public final long nowMillis() {
    return connection.nowMillis();
  }

  @Override
  public long unreadMillis(long nowMillis) {
    return connection.unreadMillis(nowMillis);
  }

  @Override
  public final void execute(Runnable task) {
    connection.channel().eventLoop().execute(task);
  }

  @Override
  public final void executeLater(long millis, Runnable task) {
    var unused = connection.channel().eventLoop().schedule(task, millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public final void giveWay() {
    connection.perform(this::refuse);
    connection.endBurst();
  }
}
