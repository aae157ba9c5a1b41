/**
 * Who may do what: policies with their keys, SAS tokens, and the paths that rights are given on.
 *
 * <p>Start at {@link io.peeklock.runtime.access.AccessControl}. Shared by all edges; pure JDK.
 */
@NullMarked
package io.peeklock.runtime.access;

import org.jspecify.annotations.NullMarked;
