package users

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/jmoiron/sqlx"
)

type Store struct {
	db  *sql.DB
	xdb *sqlx.DB
}

func (s *Store) ByEmail(ctx context.Context, email string) (*sql.Rows, error) {
	query := "SELECT id, name FROM accounts WHERE email = '" + email + "'"
	return s.db.QueryContext(ctx, query)
}

func (s *Store) ByEmailBound(ctx context.Context, email string) (*sql.Rows, error) {
	query := "SELECT id, name FROM accounts " +
		"WHERE email = $1"
	return s.db.QueryContext(ctx, query, email)
}

func (s *Store) Rename(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		http.Error(w, "bad form", http.StatusBadRequest)
		return
	}
	stmt := fmt.Sprintf(`UPDATE accounts
		SET name = '%s'
		WHERE id = %s`, r.PostFormValue("name"), r.URL.Query().Get("id"))
	if _, err := s.db.Exec(stmt); err != nil {
		http.Error(w, "failed", http.StatusInternalServerError)
	}
}

func (s *Store) Page(w http.ResponseWriter, r *http.Request) {
	page, err := strconv.Atoi(r.FormValue("page"))
	if err != nil {
		page = 1
	}
	rows, err := s.db.Query(fmt.Sprintf("SELECT id FROM accounts LIMIT 20 OFFSET %d", page*20))
	if err != nil {
		return
	}
	defer rows.Close()
}

func (s *Store) Search(w http.ResponseWriter, r *http.Request) {
	var conds []string
	for key, values := range r.URL.Query() {
		conds = append(conds, key+" = '"+values[0]+"'")
	}
	var out []string
	err := s.xdb.Select(&out, "SELECT name FROM accounts WHERE "+strings.Join(conds, " AND "))
	if err != nil {
		http.Error(w, err.Error(), 500)
	}
}

var sortable = map[string]string{"name": "name", "created": "created_at"}

func (s *Store) Sorted(r *http.Request) (*sql.Rows, error) {
	column, ok := sortable[r.FormValue("sort")]
	if !ok {
		return nil, errors.New("unknown column")
	}
	return s.db.Query("SELECT id FROM accounts ORDER BY " + column)
}

func (s *Store) Count(table string) (n int, err error) {
	row := s.db.QueryRow(fmt.Sprintf("SELECT count(*) FROM %s", table))
	err = row.Scan(&n)
	return n, err
}

const accounts = "accounts"

func (s *Store) CountAccounts() (n int, err error) {
	row := s.db.QueryRow(fmt.Sprintf("SELECT count(*) FROM %s", accounts))
	err = row.Scan(&n)
	return n, err
}

func (s *Store) Delete(ids []string) error {
	sb := strings.Builder{}
	sb.WriteString("DELETE FROM accounts WHERE id IN (")
	sb.WriteString(strings.Join(ids, ","))
	sb.WriteString(")")
	_, err := s.db.Exec(sb.String())
	return err
}

func (s *Store) DeleteMany(ids []string) error {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(ids)), ",")
	_, err := s.db.Exec("DELETE FROM accounts WHERE id IN ("+marks+")", args...)
	return err
}
