package io.peeklock.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Limits on connections, at the limit and one above. */
class AdmissionTest {
  private final InetAddress here = address(1);
  private final InetAddress there = address(2);
  private final InetAddress elsewhere = address(3);

  @Test
  void theTotalIsKeptAndAPlaceIsFreeAgainWhenSomebodyLeaves() {
    var admission = new Admission(new ConnectionLimits(2, 2, 2, 1));
    var first = new EmbeddedChannel();
    var second = new EmbeddedChannel();
    admission.enter(first, here);
    admission.enter(second, there);
    admission.recognise(first);
    admission.recognise(second);

    var third = admission.enter(new EmbeddedChannel(), elsewhere);
    admission.leave(first, here);
    var fourth = admission.enter(new EmbeddedChannel(), elsewhere);

    assertThat(third).contains("2 connections already");
    assertThat(fourth).isNull();
  }

  @Test
  void oneAddressCannotTakeEveryPlace() {
    var admission = new Admission(new ConnectionLimits(5, 1, 5, 1));
    admission.enter(new EmbeddedChannel(), here);

    var again = admission.enter(new EmbeddedChannel(), here);
    var other = admission.enter(new EmbeddedChannel(), there);

    assertThat(again).contains("from its address");
    assertThat(other).isNull();
  }

  @Test
  void aStrangerMakesRoomForTheNextButWhoLoggedInStays() {
    var admission = new Admission(new ConnectionLimits(5, 5, 1, 1));
    var first = new EmbeddedChannel();
    admission.enter(first, here);

    var known = new EmbeddedChannel();
    var second = admission.enter(known, there);
    admission.recognise(known);
    var third = admission.enter(new EmbeddedChannel(), there);

    assertThat(second).isNull();
    assertThat(first.isOpen()).isFalse();
    assertThat(third).isNull();
    assertThat(known.isOpen()).isTrue();
  }

  @Test
  void theOldestStrangerOfTheAddressWithMostOfThemMakesRoom() {
    var admission = new Admission(new ConnectionLimits(9, 9, 3, 1));
    var lonely = new EmbeddedChannel();
    var older = new EmbeddedChannel();
    var newer = new EmbeddedChannel();
    admission.enter(lonely, there);
    admission.enter(older, here);
    admission.enter(newer, here);

    var fourth = admission.enter(new EmbeddedChannel(), elsewhere);

    assertThat(fourth).isNull();
    assertThat(older.isOpen()).isFalse();
    assertThat(lonely.isOpen()).isTrue();
    assertThat(newer.isOpen()).isTrue();
    assertThat(admission.counts()).isEqualTo(new ConnectionCounts(3, 4, 1));
  }

  @Test
  void whoseAddressHasAllItsPlacesEndsNobodyElse() {
    var admission = new Admission(new ConnectionLimits(9, 1, 2, 1));
    var first = new EmbeddedChannel();
    var second = new EmbeddedChannel();
    admission.enter(first, here);
    admission.enter(second, there);

    var third = admission.enter(new EmbeddedChannel(), here);

    assertThat(third).contains("from its address");
    assertThat(first.isOpen()).isTrue();
    assertThat(second.isOpen()).isTrue();
  }

  @Test
  void whereAllPlacesAreTakenByThoseWhoLoggedInTheNextIsRefused() {
    var admission = new Admission(new ConnectionLimits(1, 9, 9, 1));
    var known = new EmbeddedChannel();
    admission.enter(known, here);
    admission.recognise(known);

    var next = admission.enter(new EmbeddedChannel(), there);

    assertThat(next).contains("1 connections already");
    assertThat(known.isOpen()).isTrue();
  }

  @Test
  void leavingTwiceOrWithoutHavingEnteredCountsNothing() {
    var admission = new Admission(new ConnectionLimits(1, 1, 1, 1));
    var first = new EmbeddedChannel();
    admission.enter(first, here);
    admission.recognise(first);

    admission.leave(new EmbeddedChannel(), here);
    var full = admission.enter(new EmbeddedChannel(), there);
    admission.leave(first, here);
    admission.leave(first, here);

    assertThat(full).isNotNull();
    var next = new EmbeddedChannel();
    assertThat(admission.enter(next, here)).isNull();
    admission.recognise(next);
    assertThat(admission.enter(new EmbeddedChannel(), here)).isNotNull();
  }

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
