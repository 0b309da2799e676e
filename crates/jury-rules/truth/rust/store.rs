use axum::extract::{Path, Query, State};
use rusqlite::{params, Connection};
use sqlx::PgPool;

pub struct Users {
    pool: PgPool,
}

impl Users {
    pub async fn by_name(&self, name: &str) -> Result<Vec<User>, sqlx::Error> {
        let sql = format!("SELECT * FROM users WHERE name = '{name}'");
        sqlx::query_as::<_, User>(&sql).fetch_all(&self.pool).await
    }

    pub async fn by_name_bound(&self, name: &str) -> Result<Vec<User>, sqlx::Error> {
        sqlx::query_as::<_, User>("SELECT * FROM users WHERE name = $1")
            .bind(name)
            .fetch_all(&self.pool)
            .await
    }

    pub async fn page(&self, page: u32) -> Result<Vec<User>, sqlx::Error> {
        let sql = format!("SELECT * FROM users LIMIT 20 OFFSET {}", page * 20);
        sqlx::query_as(&sql).fetch_all(&self.pool).await
    }
}

pub async fn remove(State(db): State<Db>, Path(id): Path<String>) -> StatusCode {
    let conn = db.lock().unwrap();
    conn.execute(&("DELETE FROM users WHERE id = ".to_owned() + &id), [])
        .unwrap();
    StatusCode::NO_CONTENT
}

pub async fn remove_bound(State(db): State<Db>, Path(id): Path<String>) -> StatusCode {
    let conn = db.lock().unwrap();
    conn.execute("DELETE FROM users WHERE id = ?1", params![id]).unwrap();
    StatusCode::NO_CONTENT
}

pub fn count(conn: &Connection, table: &str) -> rusqlite::Result<i64> {
    let mut stmt = conn.prepare(&format!("SELECT count(*) FROM {}", table))?;
    stmt.query_row([], |row| row.get(0))
}

const TABLE: &str = "users";

pub fn count_users(conn: &Connection) -> rusqlite::Result<i64> {
    let mut stmt = conn.prepare(&format!("SELECT count(*) FROM {TABLE}"))?;
    stmt.query_row([], |row| row.get(0))
}

pub fn diesel_raw(conn: &mut PgConnection, email: &str) -> QueryResult<Vec<User>> {
    diesel::sql_query(format!("SELECT * FROM users WHERE email = '{}'", email)).load(conn)
}
