package io.peeklock.simulator.bugs;

import io.peeklock.simulator.SeedPlayer;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * A broker with a bug, and the simulator that plays it. All classes of both are loaded once more,
 * so that nothing of it is seen outside.
 */
final class BrokenBroker extends ClassLoader {
  private static final String OURS = "io.peeklock.";

  private final Map<String, byte[]> broken;

  private BrokenBroker(Map<String, byte[]> broken) {
    super("broken", BrokenBroker.class.getClassLoader());
    this.broken = broken;
  }

  /** With this bug. */
  static BrokenBroker with(SeededBug bug) {
    return new BrokenBroker(InMemoryCompiler.compile(BrokenSources.of(bug)));
  }

  /** As it is. */
  static BrokenBroker withoutBug() {
    return new BrokenBroker(Map.of());
  }

  /** Plays seeds of so many steps; see {@link SeedPlayer}. */
  LongFunction<?> player(int steps) {
    try {
      var type = loadClass(SeedPlayer.class.getName());
      return (LongFunction<?>) type.getConstructor(int.class).newInstance(steps);
    } catch (ReflectiveOperationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      var loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    var bytes = broken.get(name);
    if (bytes == null) {
      bytes = asItIs(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] asItIs(String name) throws ClassNotFoundException {
    try (var in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new ClassNotFoundException(name, unreadable);
    }
  }
}
