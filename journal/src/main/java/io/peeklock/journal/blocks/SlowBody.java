package io.peeklock.journal.blocks;

import io.peeklock.runtime.RateLimitedLog;
import io.peeklock.runtime.intake.Piece;
import io.peeklock.runtime.intake.PieceOwner;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * A large body on its way as one budget sees it: where others need its room and it comes slowly, it
 * is refused, and whoever sends it hears so.
 */
public final class SlowBody {
  private static final RateLimitedLog SLOW =
      new RateLimitedLog(LoggerFactory.getLogger(SlowBody.class));

  private final StagingBudget budget;
  private final Runnable refuse;
  private @Nullable Piece piece;

  public SlowBody(StagingBudget budget, Runnable refuse) {
    this.budget = budget;
    this.refuse = refuse;
  }

  /** From now on it may give way; before, nobody could be told. */
  public void belongsTo(PieceOwner sender) {
    piece = new Piece(budget.halfReceived(), new Owner(sender));
  }

  /** So many bytes came, and all of it takes so much now. */
  public void came(int bytes, long held) {
    if (piece != null) {
      piece.came(bytes, held);
    }
  }

  /** It is whole, or refused, or given up. */
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
