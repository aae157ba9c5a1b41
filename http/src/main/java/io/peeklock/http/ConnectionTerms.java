package io.peeklock.http;

/**
 * What every connection of an edge is held to.
 *
 * @param limits of sizes and times
 * @param checks what a request must be before it is routed
 * @param origins whose pages may read answers
 * @param budgets the memory that connections share
 */
record ConnectionTerms(
    HttpLimits limits, RequestChecks checks, Origins origins, HttpBudgets budgets) {}
