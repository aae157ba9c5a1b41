package io.peeklock.examples.demo;

/**
 * What became of one sentence.
 *
 * @param happened in words, with figures
 * @param asWritten whether it is what the article says
 */
record Result(String happened, boolean asWritten) {}
