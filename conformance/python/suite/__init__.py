"""The story of Service Bus, told by the unmodified SDK for Python and by a plain AMQP client."""
