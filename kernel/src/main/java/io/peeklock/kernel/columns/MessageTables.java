package io.peeklock.kernel.columns;

/**
 * The tables that rows of all queues refer to by slot: changed properties, shared bodies,
 * forwarding histories.
 */
public record MessageTables(
    OverlayTable overlays, SharedBodies shared, ForwardingHistory forwardings) {}
