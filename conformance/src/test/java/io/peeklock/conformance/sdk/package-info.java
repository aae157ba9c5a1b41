/** The unmodified Azure Service Bus client for Java; one class for each theme of the article. */
@NullMarked
package io.peeklock.conformance.sdk;

import org.jspecify.annotations.NullMarked;
