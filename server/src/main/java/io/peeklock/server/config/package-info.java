/**
 * What an operator may say: options of {@code serve}, the YAML file, properties of queues. Imports
 * values of the kernel and the names of the runtime; starts and opens nothing.
 *
 * <p>Start at {@link io.peeklock.server.config.ServerSettings}. Whatever is wrong is a {@link
 * io.peeklock.server.config.ConfigurationException} of one sentence, found before anything starts.
 */
@NullMarked
package io.peeklock.server.config;

import org.jspecify.annotations.NullMarked;
