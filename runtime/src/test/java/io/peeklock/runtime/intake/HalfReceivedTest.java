package io.peeklock.runtime.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who gives way where room is scarce, when, and who does not. */
class HalfReceivedTest {
  private static final int BOUND = 1_000_000;
  private static final int PACE = (int) HalfReceived.LEAST_BYTES_PER_SECOND;

  private final List<Sender> senders = new ArrayList<>();
  private final List<Task> tasks = new ArrayList<>();
  private final HalfReceived all = new HalfReceived(this::taken, BOUND);
  private long now = 1_000;
  private boolean loopsAreGone;
  private int looks;

  private record Task(long at, Runnable run) {}

  private final class Sender implements PieceOwner {
    private final Piece piece = new Piece(all, this);
    private final UnreadTime unread = new UnreadTime();
    private Runnable whenLookedAt = () -> {};
    private boolean counts = true;
    private long held;
    private boolean gaveWay;

    Sender() {
      senders.add(this);
    }

    Sender brings(int bytes) {
      held += bytes;
      piece.came(bytes, held);
      return this;
    }

    void isWhole() {
      piece.end();
      held = 0;
    }

    @Override
    public long nowMillis() {
      return now;
    }

    @Override
    public long unreadMillis(long nowMillis) {
      whenLookedAt.run();
      return counts ? unread.millis(nowMillis) : Long.MAX_VALUE;
    }

    @Override
    public void execute(Runnable task) {
      tasks.add(new Task(now, task));
    }

    @Override
    public void executeLater(long millis, Runnable task) {
      if (loopsAreGone) {
        throw new RejectedExecutionException();
      }
      looks++;
      tasks.add(new Task(now + millis, task));
    }

    @Override
    public void giveWay() {
      gaveWay = true;
      held = 0;
      piece.close();
    }
  }

  private long taken() {
    return senders.stream().mapToLong(each -> each.held).sum();
  }

  private void runDue() {
    for (var due = due(); due != null; due = due()) {
      tasks.remove(due);
      due.run.run();
    }
  }

  private @Nullable Task due() {
    return tasks.stream().filter(each -> each.at <= now).findFirst().orElse(null);
  }

  private void seconds(int count, Sender bringing, int bytesPerSecond) {
    for (var i = 0; i < count; i++) {
      now += 1_000;
      runDue();
      if (!bringing.gaveWay) {
        bringing.brings(bytesPerSecond);
      }
      runDue();
    }
  }

  private void seconds(int count) {
    for (var i = 0; i < count; i++) {
      now += 1_000;
      runDue();
    }
  }

  @Test
  @Rule("I-46")
  void theSlowestGiveWayUntilThereIsRoomAndNoMore() {
    var still = new Sender().brings(300_000);
    var trickling = new Sender().brings(300_000);
    var faster = new Sender().brings(200_000);

    for (var i = 0; i < 7; i++) {
      if (!trickling.gaveWay) {
        trickling.brings(10);
      }
      seconds(1, faster, 1_000);
    }

    assertThat(still.gaveWay).isTrue();
    assertThat(trickling.gaveWay).isTrue();
    assertThat(faster.gaveWay).as("a quarter is taken").isFalse();
  }

  @Test
  @Rule("I-46")
  void aFastStartBuysSomeSeconds() {
    var sender = new Sender().brings(BOUND / 2 + 1);

    seconds(5, sender, 1_200);
    assertThat(sender.gaveWay).isFalse();
    seconds(1, sender, 1_200);

    assertThat(sender.gaveWay).isTrue();
  }

  @Test
  @Rule("I-46")
  void whoKeepsThePaceStaysHoweverFullItIs() {
    var sender = new Sender().brings(BOUND / 2 + 1);

    seconds(20, sender, PACE);

    assertThat(sender.gaveWay).isFalse();
  }

  @Test
  @Rule("I-46")
  void whoHoldsMuchMustBringMore() {
    assertThat(HalfReceived.neededOf(0)).isEqualTo(5L * PACE);
    assertThat(HalfReceived.neededOf(96_000_000)).isEqualTo(1_000_000);
  }

  @Test
  @Rule("I-46")
  void asLongAsThereIsRoomNobodyLooks() {
    var sender = new Sender().brings(BOUND / 2);

    seconds(1_000);

    assertThat(sender.gaveWay).isFalse();
    assertThat(looks).isZero();
  }

  @Test
  @Rule("I-46")
  void whatTheBrokerDoesNotReadCostsNothing() {
    var sender = new Sender().brings(BOUND / 2 + 1);
    seconds(3);
    sender.unread.begin(now);
    seconds(20);
    assertThat(sender.gaveWay).isFalse();

    sender.unread.end(now);
    seconds(1);
    assertThat(sender.gaveWay).isFalse();
    seconds(2);
    assertThat(sender.gaveWay).as("it has had its five seconds").isTrue();
  }

  @Test
  @Rule("I-46")
  void whatTheBudgetDoesNotCountHasItsTimeAsSoonAsItDoes() {
    var sender = new Sender();
    sender.counts = false;
    sender.brings(BOUND / 2 + 1);
    seconds(20);
    assertThat(sender.gaveWay).isFalse();

    sender.counts = true;
    seconds(5);
    assertThat(sender.gaveWay).isFalse();
    seconds(2);
    assertThat(sender.gaveWay).isTrue();
  }

  @Test
  @Rule("I-46")
  void whatComesToItsEndWhileItIsLookedAtDoesNotGiveWay() {
    var sender = new Sender().brings(BOUND / 2 + 1);
    seconds(5);
    sender.whenLookedAt =
        () -> {
          sender.whenLookedAt = () -> {};
          sender.piece.end(); // by its own thread; the look's has read that it is on its way
        };
    seconds(1);
    assertThat(sender.gaveWay).isFalse();

    sender.brings(1);
    seconds(4);
    assertThat(sender.gaveWay).as("a new one has its time").isFalse();
  }

  @Test
  @Rule("I-46")
  void whatCameToItsEndMeanwhileDoesNotGiveWay() {
    var sender = new Sender().brings(BOUND / 2 + 1);
    seconds(5);
    now += 1_000;
    tasks.remove(0).run.run();
    assertThat(tasks).as("it is told, and planned").hasSize(2);

    sender.isWhole();
    sender.brings(BOUND / 2 + 1);
    runDue();

    assertThat(sender.gaveWay).isFalse();
    seconds(7);
    assertThat(sender.gaveWay).as("with the next").isTrue();
  }

  @Test
  @Rule("I-46")
  void aLookThatIsLostWithItsLoopIsMadeUpFor() {
    loopsAreGone = true;
    new Sender().brings(BOUND / 2 + 1);
    loopsAreGone = false;
    var sender = new Sender().brings(1_000);
    assertThat(looks).isEqualTo(1);
    tasks.clear();

    seconds(4);
    sender.brings(1);

    assertThat(looks).isEqualTo(2);
    seconds(8);
    assertThat(senders.getFirst().gaveWay).isTrue();
  }
}
