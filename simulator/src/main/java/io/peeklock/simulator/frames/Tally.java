package io.peeklock.simulator.frames;

import io.peeklock.simulator.history.Answer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What becomes of several deliveries that one operation is about. */
final class Tally {
  private final Ledger ledger;
  private final long id;
  private final @Nullable String[] whys;
  private int open;

  /** None of so many is known. */
  Tally(Ledger ledger, long id, int count) {
    this.ledger = ledger;
    this.id = id;
    this.whys = new @Nullable String[count];
    this.open = count;
  }

  /**
   * One of them is done.
   *
   * @param why it was refused; null when it was not
   */
  void put(int i, @Nullable String why) {
    whys[i] = why;
    open--;
    if (open == 0) {
      ledger.answer(id, answer());
    }
  }

  /** One of them will never be known. */
  void lost() {
    ledger.doubt(id);
  }

  private Answer answer() {
    if (Arrays.stream(whys).allMatch(Objects::isNull)) {
      return new Answer.Done();
    }
    return whys.length == 1
        ? new Answer.Refused(Objects.requireNonNull(whys[0]))
        : new Answer.Each(Arrays.asList(whys));
  }

  /** For the delivery to the broker at this place. */
  Outgoing.Listener sent(int i) {
    return new Outgoing.Listener() {
      @Override
      public void settled(Wire.Described outcome) {
        put(i, Refusals.of(outcome));
      }

      @Override
      public void unsent(Wire.@Nullable Described error) {
        if (error == null) {
          lost();
        } else {
          put(i, Refusals.why(error));
        }
      }

      @Override
      public void lost() {
        Tally.this.lost();
      }
    };
  }
}
