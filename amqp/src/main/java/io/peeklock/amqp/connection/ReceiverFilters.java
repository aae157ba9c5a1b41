package io.peeklock.amqp.connection;

import io.peeklock.amqp.deliver.SessionClaim;
import io.peeklock.amqp.engine.codec.Described;
import io.peeklock.amqp.engine.link.SendingLink;
import io.peeklock.amqp.error.Conditions;
import io.peeklock.amqp.error.MessageProblem;
import org.jspecify.annotations.Nullable;

/** The filters that a client asks for on a link that it receives on: none is ever ignored. */
final class ReceiverFilters {
  private static final String SELECTOR = "selector";

  private ReceiverFilters() {}

  /**
   * Why the link is refused for one that there is not; null when it is not.
   *
   * @param sharesSessions whether the profile has sessions that are not held alone
   */
  static @Nullable MessageProblem problem(SendingLink link, boolean sharesSessions) {
    var source = link.source();
    if (source == null) {
      return null;
    }
    for (var filter : source.filter().entrySet()) {
      var key = filter.getKey();
      if (key.contains(SELECTOR)) {
        return new MessageProblem(Conditions.NOT_IMPLEMENTED, "Selectors are not implemented");
      }
      var isKnown =
          SessionClaim.FILTER.equals(key)
              || (sharesSessions
                  && SessionClaim.SHARED_FILTER.equals(key)
                  && SessionClaim.isShared(filter.getValue())
                  && !source.filter().containsKey(SessionClaim.FILTER));
      if (!isKnown) {
        return unknown(link.name(), key, filter.getValue());
      }
    }
    return null;
  }

  /** S-522; .NET looks for "invalid filter type" behind the last quote before it. */
  private static MessageProblem unknown(String linkName, String key, @Nullable Object value) {
    var type = value instanceof Described described ? described.descriptor() : nameOf(value);
    return new MessageProblem(
        Conditions.NOT_ALLOWED,
        "The link '"
            + linkName
            + "' contains invalid filter type. System only support Jms or Apache selector filter"
            + " type but we found type "
            + type
            + " associated with key '"
            + key
            + "'");
  }

  private static String nameOf(@Nullable Object value) {
    return value == null ? "null" : value.getClass().getSimpleName();
  }
}
