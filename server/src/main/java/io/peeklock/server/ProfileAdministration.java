package io.peeklock.server;

import io.peeklock.http.admin.properties.ProfileTerms;
import io.peeklock.server.config.Profile;

/** What each profile lets administrators do. */
final class ProfileAdministration {
  private static final long STANDARD_MEGABYTES = 5_120;
  private static final long PREMIUM_MEGABYTES = 81_920;
  private static final long LEAST_MEGABYTES = 1_024;

  private ProfileAdministration() {}

  /**
   * The terms of a profile.
   *
   * @param nowMillis when the broker starts, in UTC milliseconds
   */
  static ProfileTerms terms(Profile profile, long nowMillis) {
    return switch (profile) {
      case BASIC ->
          terms(profile, ProfileTerms.Tier.BASIC, LEAST_MEGABYTES, STANDARD_MEGABYTES, nowMillis);
      case STANDARD ->
          terms(
              profile, ProfileTerms.Tier.STANDARD, LEAST_MEGABYTES, STANDARD_MEGABYTES, nowMillis);
      case PREMIUM ->
          terms(profile, ProfileTerms.Tier.PREMIUM, LEAST_MEGABYTES, PREMIUM_MEGABYTES, nowMillis);
      // Their messages are larger than Standard's, so they call themselves Premium.
      case RELAXED ->
          terms(profile, ProfileTerms.Tier.PREMIUM, 1, ProfileTerms.ENDLESS_MEGABYTES, nowMillis);
      case EMULATOR -> {
        var most = profile.limits().sizes().largestEntity() >> 20;
        yield terms(profile, ProfileTerms.Tier.PREMIUM, 1, most, nowMillis);
      }
    };
  }

  private static ProfileTerms terms(
      Profile profile,
      ProfileTerms.Tier tier,
      long leastMegabytes,
      long mostMegabytes,
      long nowMillis) {
    return new ProfileTerms(
        tier,
        profile.queue("defaults"),
        profile.limits().ranges(),
        profile.limits().sizes().smallestMaximum() >> 10,
        profile.limits().sizes().largestMessage(),
        leastMegabytes,
        mostMegabytes,
        profile.filterLimits(),
        nowMillis);
  }
}
