/**
 * AMQP 1.0 types and bytes: reading, writing, and bounding hostile input.
 *
 * <p>{@link io.peeklock.amqp.engine.codec.ValueCheck} looks first: one pass, no allocation. Then
 * {@link io.peeklock.amqp.engine.codec.AmqpReader} walks the bytes, or {@link
 * io.peeklock.amqp.engine.codec.AmqpValues} makes Java values of them. {@link
 * io.peeklock.amqp.engine.codec.AmqpWriter} writes, {@link
 * io.peeklock.amqp.engine.codec.MessageSections} finds the sections of an encoded message.
 */
@NullMarked
package io.peeklock.amqp.engine.codec;

import org.jspecify.annotations.NullMarked;
