// Package clock moves the time of `./peeklock serve --in-memory --test-clock` in Go tests.
package clock

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

func advance(t *testing.T, by time.Duration) time.Time {
	t.Helper()
	base := os.Getenv("PEEKLOCK_URL")
	if base == "" {
		base = "http://127.0.0.1:5672"
	}
	body := strings.NewReader(fmt.Sprintf(`{"advance":"PT%.3fS"}`, by.Seconds()))
	answer, err := http.Post(base+"/$peeklock/clock", "application/json", body)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var told struct{ Now time.Time }
	if err := json.NewDecoder(answer.Body).Decode(&told); err != nil || answer.StatusCode != 200 {
		t.Fatalf("the clock was not moved: %s %v", answer.Status, err)
	}
	return told.Now
}

func TestTheClockMoves(t *testing.T) {
	before := advance(t, 0)
	if moved := advance(t, time.Hour).Sub(before); moved < time.Hour {
		t.Errorf("moved by %s", moved)
	}
}
