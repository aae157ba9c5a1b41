package io.peeklock.http.admin.atom;

/** The namespaces of admin-http.md 4.3. */
public final class XmlNamespaces {
  /** Entries and feeds. */
  public static final String ATOM = "http://www.w3.org/2005/Atom";

  /** Descriptions. */
  public static final String SERVICE_BUS =
      "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

  /** Counts. */
  public static final String COUNTS = "http://schemas.microsoft.com/netservices/2011/06/servicebus";

  /** What says of which type something is. */
  public static final String INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

  /** The types of values. */
  public static final String SCHEMA = "http://www.w3.org/2001/XMLSchema";

  /** The types that XML Schema has no word for, or another one. */
  public static final String SERIALIZATION = "http://schemas.microsoft.com/2003/10/Serialization/";

  private XmlNamespaces() {}
}
