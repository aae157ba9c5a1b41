package io.peeklock.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGTERM, Ctrl-C and SIGHUP. A shutdown hook would end with code 143 and ignore a second signal,
 * and javac warns about {@code sun.misc.Signal} beyond suppression: so it is reached by reflection.
 */
final class Signals {
  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);
  private static final int AT_ONCE = 130;

  private Signals() {}

  /**
   * Runs something at the first SIGTERM or SIGINT, on a thread of its own; ends the process at the
   * second.
   */
  static void onFirstStop(Runnable stop) {
    var stopping = new AtomicBoolean();
    Runnable signalled =
        () -> {
          if (stopping.getAndSet(true)) {
            Runtime.getRuntime().halt(AT_ONCE);
          }
          stop.run();
        };
    if (!handle(List.of("TERM", "INT"), signalled)) {
      Runtime.getRuntime().addShutdownHook(new Thread(signalled, "peeklock-stop"));
    }
  }

  /** Runs something at each SIGHUP, on a thread of its own. */
  static void onHangUp(Runnable again) {
    if (!handle(List.of("HUP"), again)) {
      LOG.warn("This JDK tells of no SIGHUP: the configuration is read at the start only");
    }
  }

  /** False where the JDK or the operating system does not let us. */
  private static boolean handle(List<String> names, Runnable signalled) {
    try {
      var signal = Class.forName("sun.misc.Signal");
      var handlerType = Class.forName("sun.misc.SignalHandler");
      var handler =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(), new Class<?>[] {handlerType}, answering(signalled));
      for (var name : names) {
        signal
            .getMethod("handle", signal, handlerType)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
      }
      return true;
    } catch (ReflectiveOperationException notHere) {
      return false;
    }
  }

  @SuppressWarnings("ReferenceEquality") // that is what equals means here
  private static InvocationHandler answering(Runnable signalled) {
    return (proxy, method, arguments) ->
        switch (method.getName()) {
          case "hashCode" -> System.identityHashCode(proxy);
          case "equals" -> proxy == arguments[0];
          case "toString" -> "Signals";
          default -> {
            signalled.run();
            yield null;
          }
        };
  }
}
