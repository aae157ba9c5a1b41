package io.peeklock.amqp.engine.codec;

import io.netty.buffer.ByteBuf;

/** The descriptors of AMQP 1.0 that the engine and its users read or write, by code. */
public final class Descriptor {
  /** A symbolic descriptor that AMQP does not define. */
  public static final long UNKNOWN = -1;

  public static final long OPEN = 0x10;
  public static final long BEGIN = 0x11;
  public static final long ATTACH = 0x12;
  public static final long FLOW = 0x13;
  public static final long TRANSFER = 0x14;
  public static final long DISPOSITION = 0x15;
  public static final long DETACH = 0x16;
  public static final long END = 0x17;
  public static final long CLOSE = 0x18;
  public static final long ERROR = 0x1d;
  public static final long RECEIVED = 0x23;
  public static final long ACCEPTED = 0x24;
  public static final long REJECTED = 0x25;
  public static final long RELEASED = 0x26;
  public static final long MODIFIED = 0x27;
  public static final long SOURCE = 0x28;
  public static final long TARGET = 0x29;
  public static final long DELETE_ON_CLOSE = 0x2b;
  public static final long DELETE_ON_NO_LINKS_OR_MESSAGES = 0x2e;
  public static final long COORDINATOR = 0x30;
  public static final long DECLARE = 0x31;
  public static final long DISCHARGE = 0x32;
  public static final long DECLARED = 0x33;
  public static final long TRANSACTIONAL_STATE = 0x34;
  public static final long SASL_MECHANISMS = 0x40;
  public static final long SASL_INIT = 0x41;
  public static final long SASL_CHALLENGE = 0x42;
  public static final long SASL_RESPONSE = 0x43;
  public static final long SASL_OUTCOME = 0x44;
  public static final long HEADER = 0x70;
  public static final long DELIVERY_ANNOTATIONS = 0x71;
  public static final long MESSAGE_ANNOTATIONS = 0x72;
  public static final long PROPERTIES = 0x73;
  public static final long APPLICATION_PROPERTIES = 0x74;
  public static final long DATA = 0x75;
  public static final long AMQP_SEQUENCE = 0x76;
  public static final long AMQP_VALUE = 0x77;
  public static final long FOOTER = 0x78;

  private static final String[] NAMES = {
    "amqp:open:list",
    "amqp:begin:list",
    "amqp:attach:list",
    "amqp:flow:list",
    "amqp:transfer:list",
    "amqp:disposition:list",
    "amqp:detach:list",
    "amqp:end:list",
    "amqp:close:list",
    "amqp:error:list",
    "amqp:received:list",
    "amqp:accepted:list",
    "amqp:rejected:list",
    "amqp:released:list",
    "amqp:modified:list",
    "amqp:source:list",
    "amqp:target:list",
    "amqp:delete-on-close:list",
    "amqp:delete-on-no-links:list",
    "amqp:delete-on-no-messages:list",
    "amqp:delete-on-no-links-or-messages:list",
    "amqp:coordinator:list",
    "amqp:declare:list",
    "amqp:discharge:list",
    "amqp:declared:list",
    "amqp:transactional-state:list",
    "amqp:sasl-mechanisms:list",
    "amqp:sasl-init:list",
    "amqp:sasl-challenge:list",
    "amqp:sasl-response:list",
    "amqp:sasl-outcome:list",
    "amqp:header:list",
    "amqp:delivery-annotations:map",
    "amqp:message-annotations:map",
    "amqp:properties:list",
    "amqp:application-properties:map",
    "amqp:data:binary",
    "amqp:amqp-sequence:list",
    "amqp:amqp-value:*",
    "amqp:footer:map",
  };

  private static final byte[] CODES = {
    0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1d, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28,
    0x29, 0x2b, 0x2c, 0x2d, 0x2e, 0x30, 0x31, 0x32, 0x33, 0x34, 0x40, 0x41, 0x42, 0x43, 0x44, 0x70,
    0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78,
  };

  private Descriptor() {}

  /** Whether a code is one of AMQP's own types. */
  public static boolean isKnown(long code) {
    for (byte known : CODES) {
      if (known == code) {
        return true;
      }
    }
    return false;
  }

  /** The code of a symbolic descriptor whose bytes are given, or {@link #UNKNOWN}. */
  static long codeOf(ByteBuf buffer, int offset, int length) {
    for (int i = 0; i < NAMES.length; i++) {
      if (NAMES[i].length() == length && matches(NAMES[i], buffer, offset)) {
        return CODES[i];
      }
    }
    return UNKNOWN;
  }

  private static boolean matches(String name, ByteBuf buffer, int offset) {
    for (int i = 0; i < name.length(); i++) {
      if (buffer.getByte(offset + i) != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
