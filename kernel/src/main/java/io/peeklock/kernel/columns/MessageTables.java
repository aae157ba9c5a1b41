package io.peeklock.kernel.columns;

/**
 * What rows of all queues refer to by number: changed properties, bodies of several, forwardings.
 */
public record MessageTables(
    OverlayTable overlays, SharedBodies shared, ForwardingHistory forwardings) {}
