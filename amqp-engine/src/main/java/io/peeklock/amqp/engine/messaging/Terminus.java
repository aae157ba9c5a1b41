package io.peeklock.amqp.engine.messaging;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A source or target as a client asked for it, decoded (3.5). The raw bytes are kept for the echo.
 */
public sealed interface Terminus {
  /** The address exactly as sent, or null. A coordinator has none. */
  @Nullable String address();

  /**
   * A source.
   *
   * @param address as sent, or null
   * @param durable 0 none, 1 configuration, 2 unsettled state
   * @param dynamic whether a node is to be made
   * @param distributionMode {@code move}, {@code copy}, or null
   * @param filter the filter set; keys as texts, whether they were symbols or strings; values in
   *     the Java types of {@code AmqpValues} (a described filter is a {@code Described})
   * @param capabilities symbols, or empty
   */
  record Source(
      @Nullable String address,
      int durable,
      boolean dynamic,
      @Nullable String distributionMode,
      Map<String, @Nullable Object> filter,
      List<String> capabilities)
      implements Terminus {}

  /**
   * A target.
   *
   * @param address as sent, or null
   * @param durable 0 none, 1 configuration, 2 unsettled state
   * @param dynamic whether a node is to be made
   * @param capabilities symbols, or empty
   */
  record Target(@Nullable String address, int durable, boolean dynamic, List<String> capabilities)
      implements Terminus {}

  /**
   * The transaction coordinator, as a target.
   *
   * @param capabilities symbols, or empty
   */
  record Coordinator(List<String> capabilities) implements Terminus {
    @Override
    public @Nullable String address() {
      return null;
    }
  }
}
