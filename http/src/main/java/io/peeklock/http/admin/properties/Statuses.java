package io.peeklock.http.admin.properties;

import io.peeklock.kernel.EntityStatus;

/** The status of an entity as the API writes it; those that only the system sets are refused. */
final class Statuses {
  static final Property PROPERTY =
      new Property(
          "Status",
          (draft, given) -> draft.builder().status(read(given.value())),
          Property.text("Status", shown -> word(shown.definition().status())));

  private Statuses() {}

  private static String word(EntityStatus status) {
    return switch (status) {
      case ACTIVE -> "Active";
      case DISABLED -> "Disabled";
      case SEND_DISABLED -> "SendDisabled";
      case RECEIVE_DISABLED -> "ReceiveDisabled";
    };
  }

  private static EntityStatus read(String given) {
    for (var status : EntityStatus.values()) {
      if (word(status).equalsIgnoreCase(given)) {
        return status;
      }
    }
    throw Property.wrong(
        "Status", given, "must be Active, Disabled, SendDisabled or ReceiveDisabled");
  }
}
