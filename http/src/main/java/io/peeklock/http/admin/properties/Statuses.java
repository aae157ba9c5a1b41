package io.peeklock.http.admin.properties;

import io.peeklock.kernel.entity.EntityProperty;
import io.peeklock.kernel.entity.EntityStatus;

/** The status of an entity as the API writes it; those that only the system sets are refused. */
final class Statuses {
  private Statuses() {}

  static Property property(EntityProperty.Status status) {
    return new Property(
        status.name(),
        (draft, given) -> status.setter().accept(draft.builder(), read(given.value())),
        Property.text(status.name(), shown -> word(status.getter().apply(shown.definition()))));
  }

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
