package io.peeklock.journal.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The slots by which places name cold segments, and which of these a checkpoint names. */
class ColdSegmentsTest {
  private final CheckpointRetention retention = new CheckpointRetention();
  private final ColdSegments cold = new ColdSegments(retention);

  private ColdSegment reserved() {
    return Objects.requireNonNull(cold.reserve(7));
  }

  private ColdSegment added() {
    var segment = reserved();
    cold.add(segment);
    return segment;
  }

  @Test
  void theSlotOfOneThatIsGoneIsGivenAgainAndItsNumberIsNot() {
    var gone = added();
    var other = added();
    other.pins++;

    assertThat(cold.takeRemovable()).isSameAs(gone);

    assertThat(cold.at(gone.slot)).isNull();
    var next = reserved();
    assertThat(next.slot).isEqualTo(gone.slot);
    assertThat(next.number).isGreaterThan(other.number);
    assertThat(reserved().slot).isNotIn(next.slot, other.slot);
  }

  @Test
  void aSlotThatCameToNothingIsGivenAgain() {
    var nothing = reserved();

    cold.unreserve(nothing);

    assertThat(reserved().slot).isEqualTo(nothing.slot);
  }

  @Test
  void thereAreSoManySlotsAndNoMore() {
    for (var i = 0; i < BodyLocations.SLOTS; i++) {
      var segment = added();
      segment.pins++;
    }

    assertThat(cold.reserve(7)).isNull();

    cold.all().getFirst().pins--;
    assertThat(cold.takeRemovable()).isNotNull();
    assertThat(cold.reserve(7)).isNotNull();
  }

  /** Its last body went after the checkpoint of ordinal 5 had begun, which may name its place. */
  @Test
  void aCheckpointNamesOneAsLongAsItCanNameAPlaceInIt() {
    var left = added();
    left.leftAt = 5;

    assertThat(cold.table(5)).hasSize(ColdSegments.COLUMNS).contains(left.number);
    assertThat(cold.table(6)).isEmpty();
  }
}
