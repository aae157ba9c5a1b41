package io.peeklock.junit;

import io.peeklock.junit.PeeklockTest.Lifecycle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives a test class a broker, by {@link PeeklockTest}, {@code @ExtendWith} or, with entities from
 * a builder, a static {@code @RegisterExtension} field. Entities come from {@link Queue}, {@link
 * Topic} and {@link Subscription} too. Nested classes share the broker of the class around them.
 *
 * <p>Parameters of tests, life-cycle methods and constructors may be a {@link Peeklock}, a String
 * with {@link ConnectionString}, a {@link PeeklockEntity} with {@link Queue} or {@link
 * Subscription}, and the {@code ServiceBusClientBuilder} of Azure's library, connected to the
 * broker. For JUnit 5.10 and later, and 6.
 */
public final class PeeklockExtension
    implements BeforeAllCallback,
        AfterAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(PeeklockExtension.class);
  private static final String BROKER = "broker";
  private static final String OWNER = "owner of the broker";

  private final Supplier<PeeklockBuilder> entities;

  /** With the entities that annotations name. */
  public PeeklockExtension() {
    this(Peeklock::builder);
  }

  /**
   * With these entities, and those that annotations name.
   *
   * @param entities makes a new builder at each call, as each broker needs its own
   */
  public PeeklockExtension(Supplier<PeeklockBuilder> entities) {
    this.entities = entities;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (lifecycle(context) != Lifecycle.PER_METHOD && broker(context) == null) {
      var builder = entities.get();
      Declared.addTo(builder, context.getRequiredTestClass());
      own(context, builder.start());
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    var shared = broker(context);
    if (shared == null) {
      var builder = entities.get();
      Declared.addTo(builder, context.getRequiredTestClass());
      Declared.addTo(builder, context.getRequiredTestMethod());
      own(context, builder.start());
    } else if (lifecycle(context) == Lifecycle.PER_CLASS) {
      shared.reset();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    closeOwn(context);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    closeOwn(context);
  }

  private static Lifecycle lifecycle(ExtensionContext context) {
    for (Class<?> type = context.getRequiredTestClass();
        type != null;
        type = type.getEnclosingClass()) {
      var said = AnnotationSupport.findAnnotation(type, PeeklockTest.class);
      if (said.isPresent()) {
        return said.get().lifecycle();
      }
    }
    return Lifecycle.PER_CLASS;
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getStore(NAMESPACE);
  }

  private static @Nullable Peeklock broker(ExtensionContext context) {
    return store(context).get(BROKER, Peeklock.class);
  }

  private static void own(ExtensionContext context, Peeklock broker) {
    store(context).put(BROKER, broker);
    store(context).put(OWNER, context.getUniqueId());
  }

  private static void closeOwn(ExtensionContext context) {
    var broker = broker(context);
    if (broker != null && context.getUniqueId().equals(store(context).get(OWNER, String.class))) {
      store(context).remove(BROKER);
      broker.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    return type == Peeklock.class
        || (type == String.class && parameter.isAnnotated(ConnectionString.class))
        || (type == PeeklockEntity.class
            && (parameter.isAnnotated(Queue.class) || parameter.isAnnotated(Subscription.class)))
        || ClientBuilders.isOne(type);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var broker = broker(context);
    if (broker == null) {
      throw new ParameterResolutionException(
          "there is no broker yet: with PER_METHOD each test gets one, and so may its parameters and"
              + " those of @BeforeEach and @AfterEach, but no constructor and no @BeforeAll");
    }
    var type = parameter.getParameter().getType();
    if (type == Peeklock.class) {
      return broker;
    }
    if (type == String.class) {
      return broker.connectionString();
    }
    return type == PeeklockEntity.class
        ? broker.entity(path(parameter))
        : ClientBuilders.of(type, broker.connectionString());
  }

  private static String path(ParameterContext parameter) {
    return parameter
        .findAnnotation(Queue.class)
        .map(Queue::value)
        .or(
            () ->
                parameter
                    .findAnnotation(Subscription.class)
                    .map(each -> each.topic() + "/" + each.name()))
        .orElseThrow();
  }
}
