package io.peeklock.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.peeklock.kernel.entity.EntityKind;
import io.peeklock.kernel.entity.EntityProperties;
import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.QueueDefinition;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A property that comes later is a new version, and what was written before is read without it. */
class DefinitionCodecTest {
  private static final QueueDefinition ORDERS = QueueDefinition.named("orders");

  private final List<Integer> wereRead = new ArrayList<>();
  private final ByteBuffer log = ByteBuffer.allocate(1_024).order(ByteOrder.LITTLE_ENDIAN);

  private List<EntityProperty<?>> withOneMore() {
    var more = new ArrayList<EntityProperty<?>>(EntityProperties.ALL);
    more.add(
        new EntityProperty.Count(
            new EntityProperty.Traits(
                "MadeUp", EntityKind.ALL, false, EntityProperties.version(more) + 1),
            new EntityProperty.Range(1, 10),
            definition -> 7,
            (definition, value) -> wereRead.add(value)));
    return more;
  }

  private FactReader written(List<EntityProperty<?>> properties) {
    DefinitionCodec.write(properties, ORDERS, new RecordWriter(log));
    return new FactReader(log.flip());
  }

  @Test
  void whatWasWrittenBeforeItCameIsReadWithoutIt() throws UnreadableFact {
    var before = EntityProperties.version(EntityProperties.ALL);

    var in = written(EntityProperties.ALL);

    assertThat(DefinitionCodec.read(withOneMore(), before, in)).isEqualTo(ORDERS);
    assertThat(wereRead).isEmpty();
    assertThat(log.hasRemaining()).isFalse();
  }

  @Test
  void whatIsWrittenSinceIsReadWithIt() throws UnreadableFact {
    var more = withOneMore();

    var in = written(more);

    assertThat(DefinitionCodec.read(more, EntityProperties.version(more), in)).isEqualTo(ORDERS);
    assertThat(wereRead).containsExactly(7);
    assertThat(log.hasRemaining()).isFalse();
  }
}
