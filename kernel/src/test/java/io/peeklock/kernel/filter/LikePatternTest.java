package io.peeklock.kernel.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.proof.Rule;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LIKE: single cases, and many made at random beside a plain reading of the same rules. */
@Rule("S-352")
class LikePatternTest {

  private static boolean like(String text, String pattern, @Nullable String escape) {
    byte[] padded = ("#" + text + "%").getBytes(StandardCharsets.UTF_8);
    var value = new FilterValue().setUtf8(padded, 1, padded.length - 2);
    var steps = new Steps();
    steps.allow(Long.MAX_VALUE);
    return LikePattern.of(FilterValue.of(pattern), escape == null ? null : FilterValue.of(escape))
        .matches(value, steps);
  }

  @ParameterizedTest(name = "{0} LIKE {1} is {2}")
  @CsvSource({
    "'', '', true",
    "'', %, true",
    "'', %%, true",
    "'', _, false",
    "a, '', false",
    "abc, abc, true",
    "abc, ab, false",
    "abc, abcd, false",
    "abc, ABC, false",
    "abc, a%, true",
    "abc, %c, true",
    "abc, %b%, true",
    "abc, b%, false",
    "abc, %b, false",
    "abc, %abc%, true",
    "abc, a%c, true",
    "aa, a%a, true",
    "a, a%a, false",
    "abc, a_c, true",
    "ac, a_c, false",
    "abc, ___, true",
    "abc, __, false",
    "abc, %_, true",
    "abc, _%_%_, true",
    "ab, _%_%_, false",
    "ä, _, true",
    "ä😀z, ___, true",
    "ä😀z, %_z, true",
    "ä😀z, ä%z, true",
    "ä😀z, %__, true",
    "aXbXc, %X%X%, true",
    "aXbc, %X%X%, false",
    "aab, %ab, true",
    "ababac, %abac, true",
    "aaab, %aab%, true",
    "a%b, a%b, true",
    "a.b, a.b, true",
    "axb, a.b, false",
    "x😀😀y, %😀_%, true",
    "x😀😀, %😀_%_%, false",
  })
  void wildcards(String text, String pattern, boolean matches) {
    assertThat(like(text, pattern, null)).isEqualTo(matches);
  }

  @ParameterizedTest(name = "{0} LIKE {1} ESCAPE {2} is {3}")
  @CsvSource({
    "ABC%, ABC\\%, \\, true",
    "ABCD, ABC\\%, \\, false",
    "a_c, a!_c, !, true",
    "abc, a!_c, !, false",
    "a!c, a!!c, !, true",
    "abc, a!bc, !, true",
    "a%c, a%%c, %, true",
    "abc, a%%c, %, false",
    "100%, 100😀%, 😀, true",
    "100x, 100😀%, 😀, false",
    "ä, !ä, !, true",
    "xyz%, %!%, !, true",
  })
  void anEscapedSignIsLiteral(String text, String pattern, String escape, boolean matches) {
    assertThat(like(text, pattern, escape)).isEqualTo(matches);
  }

  @Test
  void runsOfAnyLengthAreFound() {
    for (int length : new int[] {1, 62, 63, 64, 65, 127, 128, 129, 1_000}) {
      String run = "ab_".repeat(length).substring(0, length - 1) + "z";
      String there = run.replace('_', 'q');

      assertThat(like("aba" + there + "x", "%" + run + "%", null)).as("%d", length).isTrue();
      assertThat(like("aba" + there + "x", "%" + run + "y%", null)).as("%d", length).isFalse();
      assertThat(like("aba" + there.replace("q", "😀"), "%" + run, null)).isTrue();
      assertThat(like("ab" + there.replace("q", "😀") + "b", "%" + run + "%b", null)).isTrue();
    }
  }

  @Test
  void aHostilePatternIsNoWorseThanAnotherOne() {
    String text = "a".repeat(8 << 10);

    // a matcher that goes back would need some 10 to the power of 1,000 steps for these
    assertThat(like(text, "%a".repeat(500) + "%b", null)).isFalse();
    assertThat(like(text, "%" + "a".repeat(1_000) + "b%", null)).isFalse();
    assertThat(like(text, "%a%" + "_".repeat(1_000) + "b%", null)).isFalse();
  }

  @RepeatedTest(50)
  void likeAgreesWithAPlainReading(RepetitionInfo info) {
    var random = new Random(info.getCurrentRepetition());
    for (int i = 0; i < 400; i++) {
      String text = word(random, "aabé😀", 12);
      String pattern = word(random, "aabé😀%%__", info.getCurrentRepetition() % 10 + 1);

      assertThat(like(text, pattern, null))
          .as("%s LIKE %s", text, pattern)
          .isEqualTo(regex(pattern).matcher(text).matches());
    }
  }

  private static Pattern regex(String pattern) {
    var regex = new StringBuilder("(?s)");
    pattern
        .codePoints()
        .mapToObj(Character::toString)
        .forEach(c -> regex.append(c.equals("%") ? ".*" : c.equals("_") ? "." : Pattern.quote(c)));
    return Pattern.compile(regex.toString());
  }

  private static String word(Random random, String letters, int most) {
    int[] alphabet = letters.codePoints().toArray();
    var word = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      word.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
    }
    return word.toString();
  }
}
