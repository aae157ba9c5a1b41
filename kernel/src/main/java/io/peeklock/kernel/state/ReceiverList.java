package io.peeklock.kernel.state;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The receivers of a queue in order of arrival, linked so that removal takes constant time. */
public final class ReceiverList implements Iterable<Receiver> {

  private @Nullable Receiver first;
  private @Nullable Receiver last;

  void add(Receiver receiver) {
    receiver.before = last;
    if (last == null) {
      first = receiver;
    } else {
      last.after = receiver;
    }
    last = receiver;
  }

  /** Removes a receiver, which must be in the list. */
  void remove(Receiver receiver) {
    Receiver before = receiver.before;
    Receiver after = receiver.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    receiver.before = null;
    receiver.after = null;
  }

  @Override
  public Iterator<Receiver> iterator() {
    return new Iterator<>() {
      private @Nullable Receiver next = first;

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public Receiver next() {
        Receiver current = next;
        if (current == null) {
          throw new NoSuchElementException("the last receiver was given");
        }
        next = current.after;
        return current;
      }
    };
  }
}
