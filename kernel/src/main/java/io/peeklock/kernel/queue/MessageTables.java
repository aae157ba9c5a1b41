package io.peeklock.kernel.queue;

/** What rows of all queues refer to by number: changed properties, bodies of several, travels. */
record MessageTables(OverlayTable overlays, SharedBodies shared, Travels travels) {}
