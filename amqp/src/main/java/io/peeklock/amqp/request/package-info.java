/** Links for requests and for their answers. Imports {@code link} and what it imports. */
@NullMarked
package io.peeklock.amqp.request;

import org.jspecify.annotations.NullMarked;
