package io.peeklock.conformance;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the broker that all of them share: as {@link SharedBroker}, or as {@link Sdk} with
 * clients that are closed after the test. When a test fails, the broker's last words are printed.
 */
public final class WithBroker implements ParameterResolver, AfterTestExecutionCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(WithBroker.class);

  /** For JUnit. */
  public WithBroker() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    var type = parameter.getParameter().getType();
    return type == Sdk.class || type == SharedBroker.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var shared = shared(context);
    if (parameter.getParameter().getType() == SharedBroker.class) {
      return shared;
    }
    // JUnit closes what lies in a store when the test is over.
    return context
        .getStore(NAMESPACE)
        .computeIfAbsent(Sdk.class, wanted -> new Sdk(shared), Sdk.class);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      System.err.println(
          context.getDisplayName()
              + " failed; the broker's last words:\n"
              + shared(context).process().output().tail(20));
    }
  }

  private static SharedBroker shared(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(SharedBroker.class, wanted -> new SharedBroker(), SharedBroker.class);
  }
}
