package io.peeklock.amqp.engine.codec;

/** The descriptors of AMQP 1.0 that the engine and its users read or write, by code. */
public final class Descriptor {
  /** A symbolic descriptor that is none of AMQP's own. */
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

  private Descriptor() {}
}
