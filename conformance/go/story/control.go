package story

import (
	"bufio"
	"net"
	"time"
)

// Control lets the broker be killed, restarted, stopped or started, and returns when that is done.
func (s *Story) Control(word string) {
	s.Helper()
	connection, err := net.DialTimeout("tcp", environment("PEEKLOCK_CONTROL"), Patience)
	s.Must(err)
	defer connection.Close()
	s.Must(connection.SetDeadline(time.Now().Add(Patience)))
	_, err = connection.Write([]byte(word + "\n"))
	s.Must(err)
	answer, err := bufio.NewReader(connection).ReadString('\n')
	s.Must(err)
	if answer != "ok\n" {
		s.Fatalf("control said %q to %s", answer, word)
	}
}
