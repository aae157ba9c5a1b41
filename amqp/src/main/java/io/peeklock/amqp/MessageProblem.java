package io.peeklock.amqp;

/**
 * Why a message that a client brought is not taken.
 *
 * @param condition the symbol
 * @param sentence for people
 */
record MessageProblem(String condition, String sentence) {}
