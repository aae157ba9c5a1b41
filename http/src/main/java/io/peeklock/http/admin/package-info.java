/**
 * The administration API (admin-http.md): queues, topics, subscriptions and rules are made, read,
 * changed, listed and deleted over HTTP, in the XML that the vendor's clients speak. Imports {@code
 * http}, the packages below, the runtime and values of the kernel; nothing imports it but the
 * server.
 *
 * <p>Start at {@link io.peeklock.http.admin.AdminApi}, which is what a server mounts. {@link
 * io.peeklock.http.admin.AdminPath} says what a path means, {@link
 * io.peeklock.http.admin.EntityOperations} and {@link io.peeklock.http.admin.RuleOperations} do
 * what is asked, {@link io.peeklock.http.admin.ShardClient} asks the shard.
 */
@NullMarked
package io.peeklock.http.admin;

import org.jspecify.annotations.NullMarked;
