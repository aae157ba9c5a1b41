package io.peeklock.journal.sim;

import io.peeklock.journal.disk.DiskFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What no seam declares, or what it does, at one of the calls through the seams that were put
 * behind this: the n-th throws, before it does anything.
 */
public final class Faults {
  private final Supplier<Throwable> fault;
  private final boolean isChecked;
  private int left = Integer.MAX_VALUE;
  private @Nullable Throwable thrown;

  public Faults(Supplier<Throwable> fault) {
    this.fault = fault;
    this.isChecked = fault.get() instanceof IOException;
  }

  /** From now on the n-th call throws (from 1), once. */
  public void at(int call) {
    left = call;
  }

  /** No more from here on; whether one was thrown. */
  public boolean end() {
    left = Integer.MAX_VALUE;
    return thrown != null;
  }

  /** A call. */
  public void pass() {
    if (left != Integer.MAX_VALUE && --left == 0) {
      thrown = fault.get();
      Faults.<RuntimeException>sneak(thrown);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** The same, with this in the way; the files of a disk too. */
  public <T> T before(Class<T> seam, T real) {
    return seam.cast(
        Proxy.newProxyInstance(
            seam.getClassLoader(),
            new Class<?>[] {seam},
            (proxy, method, arguments) -> {
              if (method.getExceptionTypes().length > 0 || !isChecked) {
                pass();
              }
              try {
                var result = method.invoke(real, arguments);
                return result instanceof DiskFile file ? before(DiskFile.class, file) : result;
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            }));
  }

  /** Goes on with what is thrown by this, as a thread's owner does that logs it. */
  public void survive(Runnable work) {
    for (var again = true; again; ) {
      var before = thrown;
      again = false;
      try {
        work.run();
      } catch (RuntimeException | Error broken) {
        if (Objects.equals(thrown, before) || !broken.equals(thrown)) {
          throw broken;
        }
        again = true;
      }
    }
  }
}
