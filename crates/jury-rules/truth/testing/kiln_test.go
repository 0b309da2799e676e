package kiln

import "testing"

func TestFires(t *testing.T) {
	done := make(chan error)
	go func() {
		if fire() != nil {
			t.Fatal("it stays cold")
		}
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
