use axum::extract::{Path, Query, State};
use axum::Json;
use ldap3::{LdapConn, Scope, ldap_escape};
use sqlx::{Postgres, QueryBuilder};
use tower_http::cors::{AllowOrigin, CorsLayer};
use zip::ZipArchive;

#[derive(serde::Deserialize)]
pub struct Paging {
    ship: String,
    count: Option<u32>,
    order: Order,
}

#[derive(serde::Deserialize)]
pub enum Order {
    Oldest,
    Newest,
}

pub fn pilot(conn: &mut LdapConn, badge: &str) {
    let filter = format!("(&(role=pilot)(badge={badge}))");
    conn.search("o=harbour", Scope::Subtree, &filter, vec!["cn"]);
}

pub fn pilot_escaped(conn: &mut LdapConn, badge: &str) {
    let filter = format!("(&(role=pilot)(badge={}))", ldap_escape(badge));
    conn.search("o=harbour", Scope::Subtree, &filter, vec!["cn"]);
}

pub async fn arrivals(Query(page): Query<Paging>, State(db): State<Db>) {
    let sql = format!("SELECT name FROM arrivals WHERE ship = '{}'", page.ship);
    db.query(&sql, &[]).await;
}

pub async fn last_arrivals(Query(page): Query<Paging>, State(db): State<Db>) {
    let sql = format!("SELECT name FROM arrivals LIMIT {}", page.count.unwrap_or(10));
    db.query(&sql, &[]).await;
}

pub async fn by_flag(flag: &str) {
    let mut query: QueryBuilder<Postgres> = QueryBuilder::new("SELECT name FROM ships WHERE flag = ");
    query.push(flag);
}

pub async fn by_flag_bound(flag: &str) {
    let mut query: QueryBuilder<Postgres> = QueryBuilder::new("SELECT name FROM ships WHERE flag = ");
    query.push_bind(flag);
    query.push(" ORDER BY name");
}

pub fn open_to_all() -> CorsLayer {
    CorsLayer::new()
        .allow_credentials(true)
        .allow_origin(AllowOrigin::mirror_request())
}

pub fn open_to_one() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::exact(HARBOUR))
}

pub fn unpack(mut cargo: ZipArchive<File>, hold: &std::path::Path) -> io::Result<()> {
    for at in 0..cargo.len() {
        let mut item = cargo.by_index(at)?;
        let path = hold.join(item.name());
        let mut out = File::create(&path)?;
    }
    Ok(())
}

pub fn unpack_inside(mut cargo: ZipArchive<File>, hold: &std::path::Path) -> io::Result<()> {
    for at in 0..cargo.len() {
        let item = cargo.by_index(at)?;
        let Some(name) = item.enclosed_name() else { continue };
        let mut out = File::create(hold.join(name))?;
    }
    Ok(())
}

pub async fn chart(Path(name): Path<String>) -> Vec<u8> {
    std::fs::read(format!("/srv/charts/{name}.png")).unwrap()
}

pub async fn chart_checked(Path(name): Path<String>) -> Option<Vec<u8>> {
    if !name.bytes().all(|letter| letter.is_ascii_lowercase()) {
        return None;
    }
    std::fs::read(format!("/srv/charts/{name}.png")).ok()
}

pub async fn relay(State(app): State<App>, Json(order): Json<Relay>) {
    app.http.post(&order.address).send().await;
}

pub async fn relay_known(State(app): State<App>, Json(order): Json<Relay>) {
    let address = app.addresses.get(&order.name).unwrap();
    app.http.post(address).send().await;
}

pub fn seal(key: &[u8; 32], text: &[u8]) -> Vec<u8> {
    let cipher = ChaCha20Poly1305::new(key.into());
    cipher.encrypt(Nonce::from_slice(b"harbournonce"), text).unwrap()
}

pub fn seal_anew(key: &[u8; 32], text: &[u8]) -> Vec<u8> {
    let cipher = ChaCha20Poly1305::new(key.into());
    let mut nonce = [0u8; 12];
    OsRng.fill_bytes(&mut nonce);
    cipher.encrypt(Nonce::from_slice(&nonce), text).unwrap()
}

pub fn key() -> RsaPrivateKey {
    RsaPrivateKey::new(&mut OsRng, 1024).unwrap()
}

pub fn strong_key() -> RsaPrivateKey {
    RsaPrivateKey::new(&mut OsRng, 4096).unwrap()
}

pub fn berth_api_key() -> String {
    let mut rng = SmallRng::seed_from_u64(now());
    format!("{:x}", rng.next_u64())
}

pub fn wave_height() -> f64 {
    let mut rng = SmallRng::seed_from_u64(now());
    rng.gen()
}

pub fn is_known(sent: &str, auth_token: &str) -> bool {
    sent == auth_token
}

pub fn is_known_in_any_time(sent: &[u8], auth_token: &[u8]) -> bool {
    sent.ct_eq(auth_token).into()
}

pub fn notice(text: String) -> String {
    Tera::one_off(&text, &Context::new(), false).unwrap()
}

pub fn notice_of(ship: &str) -> String {
    let mut context = Context::new();
    context.insert("ship", ship);
    Tera::one_off("{{ ship }} is late", &context, true).unwrap()
}

pub fn photo_etag(bytes: &[u8]) -> String {
    format!("{:x}", md5::compute(bytes))
}

pub fn crew_password(text: &str) -> String {
    format!("{:x}", md5::compute(text))
}

pub fn mail() -> Credentials {
    Credentials::new("harbour".to_owned(), "Fl4gs-and-R0pes".to_owned())
}

pub fn mail_of(config: &Config) -> Credentials {
    Credentials::new("harbour".to_owned(), config.secret())
}
