package io.peeklock.cli;

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.qpid.protonj2.client.AdvancedMessage;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.jspecify.annotations.Nullable;

/** Looks through a queue for selected messages, without taking or locking any. */
final class Browse {
  private static final int PAGE = 250;
  private static final long LAST_POSSIBLE = Long.MAX_VALUE / 2;

  /** What becomes of a message that was found. */
  @FunctionalInterface
  interface Each {
    void take(AdvancedMessage<?> message) throws ClientException;
  }

  private final Management node;
  private final @Nullable String state;

  private Browse(Management node, @Nullable String state) {
    this.node = node;
    this.state = state;
  }

  /** Looks at all. */
  static Browse of(Management node) {
    return new Browse(node, null);
  }

  /** Looks at those that are {@code active}, {@code deferred} or {@code scheduled}. */
  static Browse of(Management node, String state) {
    return new Browse(node, state);
  }

  private boolean isWanted(Selection selection, AdvancedMessage<?> message) throws ClientException {
    return selection.takes(message) && (state == null || state.equals(MessageJson.state(message)));
  }

  /** Finds all that are selected, in the order of their numbers; returns how many. */
  long each(Selection selection, Each each) throws ClientException {
    return selection.numbers().isEmpty() ? through(selection, each) : byNumber(selection, each);
  }

  private long through(Selection selection, Each each) throws ClientException {
    var found = 0L;
    for (var page = node.peek(1, PAGE, null); !page.isEmpty(); ) {
      for (var message : page) {
        if (isWanted(selection, message)) {
          each.take(message);
          if (++found == selection.most()) {
            return found;
          }
        }
      }
      page = node.peek(MessageJson.sequenceNumber(page.getLast()) + 1, PAGE, null);
    }
    return found;
  }

  private long byNumber(Selection selection, Each each) throws ClientException {
    var found = 0L;
    for (var number : selection.numbers().stream().sorted().toList()) {
      var there = node.peek(number, 1, null);
      if (!there.isEmpty()
          && MessageJson.sequenceNumber(there.getFirst()) == number
          && isWanted(selection, there.getFirst())) {
        each.take(there.getFirst());
        if (++found == selection.most()) {
          break;
        }
      }
    }
    return found;
  }

  /** The numbers of the selected messages. */
  Set<Long> numbers(Selection selection) throws ClientException {
    var numbers = new LinkedHashSet<Long>();
    each(selection, message -> numbers.add(MessageJson.sequenceNumber(message)));
    return numbers;
  }

  /** The number behind the last message; found by halves, however many there are. */
  long end() throws ClientException {
    var low = 0L; // something is there from here on, or this is the begin
    var high = LAST_POSSIBLE; // nothing is
    while (high - low > 1) {
      var middle = low + (high - low) / 2;
      var there = node.peek(middle, 1, null);
      if (there.isEmpty()) {
        high = middle;
      } else {
        low = Math.max(middle, MessageJson.sequenceNumber(there.getFirst()));
      }
    }
    return high;
  }
}
