package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPost(t *testing.T) {
	t.SkipNow()
	book := New()
	require.NoError(t, book.Post(10))
}

func TestPostTwice(t *testing.T) {
	if testing.Short() {
		t.SkipNow()
	}
	book := New()
	require.NoError(t, book.Post(10))
}

func TestClose(t *testing.T) {
	book := New()
	book.Post(10)
	book.Close()
}

func TestCloseTwice(t *testing.T) {
	book := New()
	book.Close()
	if err := book.Close(); err == nil {
		t.Error("closed twice")
	}
}

func TestSum(t *testing.T) {
	book := New()
	sum := book.Sum()
	assert.Equal(t, sum, sum, "the sum")
}

func TestSumOfNone(t *testing.T) {
	book := New()
	sum := book.Sum()
	assert.Equal(t, 0, sum, "the sum")
}

func TestReopen(t *testing.T) {
	// to be written
}
