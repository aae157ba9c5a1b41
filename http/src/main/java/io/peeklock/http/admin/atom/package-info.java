/**
 * XML as the administration API speaks it: bounded reading without document types, and entries and
 * feeds as the clients read them. Imports the JDK only, so that no rule of the broker gets in here.
 *
 * <p>Start at {@link io.peeklock.http.admin.atom.XmlNode#read} and {@link
 * io.peeklock.http.admin.atom.AtomWriter}.
 */
@NullMarked
package io.peeklock.http.admin.atom;

import org.jspecify.annotations.NullMarked;
