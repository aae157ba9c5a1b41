package io.peeklock.journal.bodies;

import io.peeklock.journal.large.FileLarge;
import io.peeklock.journal.segment.BodyLocations;
import java.util.List;

/**
 * Where the bodies lie that some facts of a checkpoint name, in their order: of each fact the
 * messages' bodies first, then their changed properties.
 *
 * @param at as {@link BodyLocations} has them; NONE for one that died meanwhile
 * @param larges what is known of those that are {@link BodyLocations#LARGE}
 */
public record BodyPlaces(long[] at, List<FileLarge> larges) {}
