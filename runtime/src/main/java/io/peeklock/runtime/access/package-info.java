/**
 * Who may do what: policies with their keys, SAS tokens, and the paths that rights cover. Shared by
 * all edges; imports the catalogue of the runtime, in which entities have policies of their own.
 *
 * <p>Start at {@link io.peeklock.runtime.access.AccessControl}.
 */
@NullMarked
package io.peeklock.runtime.access;

import org.jspecify.annotations.NullMarked;
