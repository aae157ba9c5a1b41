package io.peeklock.amqp.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.peeklock.amqp.engine.codec.MessageSections.BodyKind;
import io.peeklock.amqp.engine.codec.MessageSections.Section;
import io.peeklock.proof.Rule;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections in any order, and bodies of every kind. */
class MessageSectionsTest {
  private static final String EMPTY_HEADER = "00537045";
  private static final String ANNOTATIONS = "005372c10100";
  private static final String DELIVERY = "005371c10100";
  private static final String PROPERTIES = "005373c00401a10161";
  private static final String APPLICATION = "005374c10602a1016b5405";
  private static final String DATA = "005375a003010203";
  private static final String FOOTER = "005378c10100";

  private final MessageSections sections = new MessageSections();

  @Test
  @Rule("T-52")
  void everySectionIsFoundAlsoWhenDeliveryAnnotationsComeLast() {
    assertThat(scan(EMPTY_HEADER, ANNOTATIONS, PROPERTIES, APPLICATION, DATA, FOOTER, DELIVERY))
        .isTrue();

    assertThat(sections.offset(Section.HEADER)).isZero();
    assertThat(sections.length(Section.HEADER)).isEqualTo(4);
    assertThat(sections.offset(Section.MESSAGE_ANNOTATIONS)).isEqualTo(4);
    assertThat(sections.valueOffset(Section.PROPERTIES)).isEqualTo(13);
    assertThat(sections.length(Section.APPLICATION_PROPERTIES)).isEqualTo(11);
    assertThat(sections.has(Section.DELIVERY_ANNOTATIONS)).isTrue();
    assertThat(sections.bodyKind()).isEqualTo(BodyKind.DATA);
    assertThat(sections.bodyOffset()).isEqualTo(4 + 6 + 9 + 11);
    assertThat(sections.bodyLength()).isEqualTo(8);
  }

  @Test
  @Rule("T-52")
  void theBodyMayBeMissingOrSeveralDataSections() {
    assertThat(scan(PROPERTIES)).isTrue();
    assertThat(sections.bodyKind()).isEqualTo(BodyKind.NONE);
    assertThat(sections.bodyLength()).isZero();
    assertThat(sections.length(Section.HEADER)).isZero();

    ByteBuf bytes = bytes(DATA, "005375a00109", "005375b00000000107");
    assertThat(sections.scanAndCheck(bytes, 0, bytes.writerIndex())).isTrue();
    var contents = new ArrayList<String>();
    for (int at = sections.bodyOffset(); at >= 0; ) {
      at = sections.nextBody(at);
      contents.add(ByteBufUtil.hexDump(bytes, sections.contentOffset(), sections.contentLength()));
    }
    assertThat(contents).isEqualTo(List.of("010203", "09", "07"));
    assertThat(sections.bodyCount()).isEqualTo(3);
  }

  @Test
  @Rule({"T-07", "T-52"})
  void sequencesValuesAndOtherSpellingsOfDescriptorsAreTaken() {
    assertThat(scan("00537645", "005376c0020140")).isTrue();
    assertThat(sections.bodyKind()).isEqualTo(BodyKind.SEQUENCE);
    assertThat(scan("00800000000000000077a10161")).isTrue();
    assertThat(sections.bodyKind()).isEqualTo(BodyKind.VALUE);
    assertThat(scan("00a310616d71703a646174613a62696e617279a000")).isTrue();
    assertThat(sections.bodyKind()).isEqualTo(BodyKind.DATA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00537045" + "00537045",
        "005375a000" + "00537740",
        "00537740" + "00537740",
        "005375a000" + "005378c10100" + "005375a000",
        "005375a10141",
        "00537640",
        "00537240",
        "005370c10100",
        "00532445",
        "0080000001000000007045",
        "00a3017845",
        "45",
        "0053",
        "005375a0ff",
        "005374c1050200000000",
        "005373c00501a10161",
        "005377d0000000047fffffff"
      })
  void whatIsNoMessageIsRefused(String hex) {
    assertThat(scan(hex)).isFalse();
    assertThat(sections.problem()).isNotEmpty();
  }

  @Test
  void aLargeBodyCostsNoBudgetButManyPropertiesDo() {
    ByteBuf body =
        Unpooled.buffer().writeBytes(HexFormat.of().parseHex("005375b0")).writeInt(5 << 20);
    body.writeZero(5 << 20);
    assertThat(sections.scanAndCheck(body, 0, body.writerIndex())).isTrue();

    ByteBuf value = Unpooled.buffer().writeBytes(HexFormat.of().parseHex("005377d0"));
    value.writeInt(4 + 100_000).writeInt(100_000).writeBytes(filled(100_000));
    assertThat(sections.scanAndCheck(value, 0, value.writerIndex())).isTrue();

    ByteBuf properties = Unpooled.buffer().writeBytes(HexFormat.of().parseHex("005374d1"));
    properties.writeInt(4 + 100_000).writeInt(100_000).writeBytes(filled(100_000));
    assertThat(sections.scanAndCheck(properties, 0, properties.writerIndex())).isFalse();
  }

  private static byte[] filled(int length) {
    var bytes = new byte[length];
    java.util.Arrays.fill(bytes, (byte) 0x40);
    return bytes;
  }

  private boolean scan(String... hex) {
    ByteBuf bytes = bytes(hex);
    return sections.scanAndCheck(bytes, 0, bytes.writerIndex());
  }

  private static ByteBuf bytes(String... hex) {
    return Unpooled.wrappedBuffer(HexFormat.of().parseHex(String.join("", hex)));
  }
}
