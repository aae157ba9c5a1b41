package io.peeklock.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * SIGTERM and Ctrl-C. A shutdown hook would end with code 143 and be deaf to a second signal, and
 * javac warns about {@code sun.misc.Signal} beyond suppression: so it is reached by reflection.
 */
final class StopSignals {
  private static final int AT_ONCE = 130;

  private StopSignals() {}

  /** Runs something at the first signal, on a thread of its own; ends the process at the second. */
  static void onFirst(Runnable stop) {
    var stopping = new AtomicBoolean();
    Runnable signalled =
        () -> {
          if (stopping.getAndSet(true)) {
            Runtime.getRuntime().halt(AT_ONCE);
          }
          stop.run();
        };
    try {
      var signal = Class.forName("sun.misc.Signal");
      var handlerType = Class.forName("sun.misc.SignalHandler");
      var handler =
          Proxy.newProxyInstance(
              StopSignals.class.getClassLoader(),
              new Class<?>[] {handlerType},
              answering(signalled));
      for (var name : List.of("TERM", "INT")) {
        signal
            .getMethod("handle", signal, handlerType)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
      }
    } catch (ReflectiveOperationException notThisJdk) {
      Runtime.getRuntime().addShutdownHook(new Thread(signalled, "peeklock-stop"));
    }
  }

  @SuppressWarnings("ReferenceEquality") // that is what equals means here
  private static InvocationHandler answering(Runnable signalled) {
    return (proxy, method, arguments) ->
        switch (method.getName()) {
          case "hashCode" -> System.identityHashCode(proxy);
          case "equals" -> proxy == arguments[0];
          case "toString" -> "StopSignals";
          default -> {
            signalled.run();
            yield null;
          }
        };
  }
}
