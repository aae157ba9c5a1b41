/**
 * HTTP/1.1: bounded requests, routes, and the seam where the HTTP APIs are mounted. Imports Netty
 * and the runtime, none of the APIs and no other edge.
 *
 * <p>Start at {@link io.peeklock.http.HttpHandler}, which is what an API implements, and {@link
 * io.peeklock.http.Route}, which says where and within which bounds. {@link
 * io.peeklock.http.HttpConnection} is the life of one connection; {@link
 * io.peeklock.http.RequestChecks} is what a request must be before a handler sees it.
 */
@NullMarked
package io.peeklock.http;

import org.jspecify.annotations.NullMarked;
