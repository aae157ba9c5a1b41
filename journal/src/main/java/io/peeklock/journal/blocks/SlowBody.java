package io.peeklock.journal.blocks;

import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.intake.Piece;
import io.peeklock.runtime.intake.PieceOwner;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * An arriving large body, charged to one budget: if it is slow while others need its room it is
 * refused, and its sender is told.
 */
public final class SlowBody {
  private static final RateLimitedLog SLOW =
      new RateLimitedLog(LoggerFactory.getLogger(SlowBody.class));

  private final StagingBudget budget;
  private final Runnable refuse;
  private @Nullable Piece piece;

  /**
   * A body in this budget.
   *
   * @param refuse drops the body, on its sender's thread
   */
  public SlowBody(StagingBudget budget, Runnable refuse) {
    this.budget = budget;
    this.refuse = refuse;
  }

  /** Sets its sender, which is told when the body must give way; without one it never must. */
  public void belongsTo(PieceOwner sender) {
    piece = new Piece(budget.halfReceived(), new Owner(sender));
  }

  /** Counts arrived bytes, and sets the memory that the body takes now. */
  public void came(int bytes, long held) {
    if (piece != null) {
      piece.came(bytes, held);
    }
  }

  /** Ends the body: complete, refused, or given up. */
  public void close() {
    if (piece != null) {
      piece.close();
    }
  }

  private final class Owner implements PieceOwner {
    private final PieceOwner sender;

    Owner(PieceOwner sender) {
      this.sender = sender;
    }

    @Override
    public long nowMillis() {
      return sender.nowMillis();
    }

    @Override
    public long unreadMillis(long nowMillis) {
      return sender.unreadMillis(nowMillis);
    }

    @Override
    public void execute(Runnable task) {
      sender.execute(task);
    }

    @Override
    public void executeLater(long millis, Runnable task) {
      sender.executeLater(millis, task);
    }

    @Override
    public void giveWay() {
      SLOW.warn("A large body that came slowly gave way to others");
      budget.gaveWay();
      refuse.run();
      sender.giveWay();
    }
  }
}
