package io.peeklock.junit;

import org.junit.jupiter.api.extension.ParameterResolutionException;

/** Azure's builder of clients, by its name: who tests without that library needs none here. */
final class ClientBuilders {
  private static final String NAME = "com.azure.messaging.servicebus.ServiceBusClientBuilder";

  private ClientBuilders() {}

  static boolean isOne(Class<?> type) {
    return type.getName().equals(NAME);
  }

  /** One that connects to a broker. */
  static Object of(Class<?> type, String connectionString) {
    try {
      var builder = type.getConstructor().newInstance();
      type.getMethod("connectionString", String.class).invoke(builder, connectionString);
      return builder;
    } catch (ReflectiveOperationException failed) {
      throw new ParameterResolutionException(NAME + " could not be made", failed);
    }
  }
}
