package io.peeklock.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peeklock.kernel.entity.QueueId;
import io.peeklock.kernel.fact.Fact;
import io.peeklock.proof.LongProof;
import io.peeklock.proof.Rule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Golden files are never changed: a new layout is a new version with a file of its own. */
class FactCodecTest {
  private static final int VERSION = 1;

  static Stream<String> names() {
    return FactSamples.all().keySet().stream();
  }

  private static Fact sample(String name) {
    return Objects.requireNonNull(FactSamples.all().get(name));
  }

  private static byte[] golden(String name) throws IOException {
    try (var file = FactCodecTest.class.getResourceAsStream(name + "-v" + VERSION + ".hex")) {
      var text =
          new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.US_ASCII);
      return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
    }
  }

  private static byte[] encoded(Fact... facts) {
    var all = List.of(facts);
    var out = ByteBuffer.allocate((int) FactCodec.bytes(all)).order(ByteOrder.LITTLE_ENDIAN);
    FactCodec.encode(all, out);
    return Arrays.copyOf(out.array(), out.position());
  }

  private static List<Fact> decoded(byte[] bytes) throws UnreadableFact {
    return FactCodec.decodeAll(ByteBuffer.wrap(bytes));
  }

  @ParameterizedTest
  @MethodSource("names")
  @Rule("I-01")
  void aRecordOfVersionOneIsReadForEver(String name) throws IOException, UnreadableFact {
    var facts = decoded(golden(name));

    assertThat(facts).usingRecursiveFieldByFieldElementComparator().containsExactly(sample(name));
  }

  @Test
  @Rule("I-01")
  void everyKindOfFactHasAGoldenFile() {
    var kinds = FactSamples.all().values().stream().map(Object::getClass).distinct().toList();

    assertThat(kinds(Fact.class)).allMatch(kind -> kinds.contains(kind), "has a golden file");
  }

  @Test
  void everyKindOfFactHasALayoutWithANumberOfItsOwn() {
    var numbers = kinds(Fact.class).map(FactLayouts::ofKind).map(FactLayout::number).toList();

    assertThat(numbers).doesNotHaveDuplicates().doesNotContain(0, 11);
  }

  @ParameterizedTest
  @MethodSource("names")
  void aRecordIsWrittenAsItsGoldenFileHasIt(String name) throws IOException {
    assertThat(HexFormat.of().formatHex(encoded(sample(name))))
        .isEqualTo(HexFormat.of().formatHex(golden(name)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void aRecordTakesTheRoomThatItSays(String name) {
    assertThat((long) encoded(sample(name)).length)
        .isEqualTo(FactCodec.bytes(List.of(sample(name))));
  }

  @Test
  void theWorstNumbersStillFitTheRoomThatWasPromised() {
    var worst = new long[1_000];
    for (var i = 0; i < worst.length; i++) {
      worst[i] = i % 2 == 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
    }
    var sizes = new int[1_000];
    Arrays.fill(sizes, Integer.MAX_VALUE);
    for (var fact :
        List.of(
            new Fact.Completed(new QueueId(Integer.MAX_VALUE), worst),
            new Fact.Enqueued(
                new QueueId(Integer.MAX_VALUE),
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                sizes,
                sizes,
                worst))) {
      assertThat((long) encoded(fact).length).isEqualTo(FactCodec.bytes(List.of(fact)));
    }
  }

  @Test
  void manyFactsFollowEachOther() throws UnreadableFact {
    var all = FactSamples.all().values().toArray(new Fact[0]);

    assertThat(decoded(encoded(all)))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(all);
  }

  @Test
  void aTypeThatIsNotKnownIsRefused() {
    for (var type : new byte[] {0, 11, 77, 99, -1}) {
      var bytes = encoded(sample("completed"));
      bytes[0] = type;

      assertThatThrownBy(() -> decoded(bytes))
          .isInstanceOf(UnreadableFact.class)
          .hasMessageContaining("type " + (type & 0xFF))
          .hasMessageContaining("is not known");
    }
  }

  @Test
  void aNewerVersionOfARecordIsRefused() {
    var bytes = encoded(sample("completed"));
    bytes[1] = 2;

    assertThatThrownBy(() -> decoded(bytes))
        .isInstanceOf(UnreadableFact.class)
        .hasMessageContaining("version 2")
        .hasMessageContaining("is not known");
  }

  @Test
  void aCountIsNotBelievedBeyondTheBytesThatAreLeft() {
    // Completed, queue 1, 2,147,483,647 numbers, of which none is there.
    var bytes = HexFormat.of().parseHex("030106000000" + "01" + "ffffffff07");

    assertThatThrownBy(() -> decoded(bytes))
        .isInstanceOf(UnreadableFact.class)
        .hasMessageContaining("2147483647 elements in 0 bytes");
  }

  @Test
  void aLengthIsNotBelievedBeyondTheBytesThatAreLeft() {
    for (var length : new int[] {-1, 1 << 30, Integer.MIN_VALUE}) {
      var bytes = encoded(sample("completed"));
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(2, length);

      assertThatThrownBy(() -> decoded(bytes)).isInstanceOf(UnreadableFact.class);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyShortenedRecordIsRefused(String name) {
    var whole = encoded(sample(name));
    for (var length = 1; length < whole.length; length++) {
      var cut = Arrays.copyOf(whole, length);

      assertThatThrownBy(() -> decoded(cut)).isInstanceOf(UnreadableFact.class);
    }
  }

  @ParameterizedTest
  @LongProof
  @MethodSource("names")
  void damagedRecordsAreReadOrRefusedButNeverAnythingElse(String name) throws UnreadableFact {
    var chance = new Random(name.hashCode());
    for (var i = 0; i < 2_000; i++) {
      var bytes = encoded(sample(name));
      for (var hits = 1 + chance.nextInt(4); hits > 0; hits--) {
        bytes[chance.nextInt(bytes.length)] = (byte) chance.nextInt();
      }
      List<Fact> facts;
      try {
        facts = decoded(bytes);
      } catch (UnreadableFact refused) {
        assertThat(refused).hasMessageNotContaining("null");
        continue;
      }
      assertThat(decoded(encoded(facts.toArray(new Fact[0]))))
          .usingRecursiveFieldByFieldElementComparator()
          .isEqualTo(facts);
    }
  }

  @Test
  void theByteOrderIsNotLeftToChance() {
    assertThatThrownBy(
            () -> FactCodec.encode(List.of(sample("completed")), ByteBuffer.allocate(1_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The records, not the interfaces that gather some of them. */
  private static Stream<Class<?>> kinds(Class<?> of) {
    return of.isRecord()
        ? Stream.of(of)
        : Arrays.stream(of.getPermittedSubclasses()).flatMap(each -> kinds(each));
  }
}
