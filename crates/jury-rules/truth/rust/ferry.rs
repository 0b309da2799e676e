use std::mem::MaybeUninit;
use std::sync::{Mutex, RwLock};

use aes_gcm::{Aes256Gcm, Key, KeyInit};
use axum::extract::Query;
use mongodb::bson::doc;
use mongodb::Collection;
use pbkdf2::pbkdf2_hmac;
use regex::Regex;
use rhai::Engine;
use reqwest::header::{self, HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use tracing::{info, warn};

#[derive(serde::Deserialize)]
pub struct Booking {
    passenger: String,
    pattern: String,
    deck: u32,
}

pub async fn board(Query(booking): Query<Booking>) -> &'static str {
    info!("boarding of {}", booking.passenger);
    "aboard"
}

pub async fn board_quietly(Query(booking): Query<Booking>) -> &'static str {
    info!("boarding on deck {}", booking.deck);
    "aboard"
}

pub async fn board_cleaned(Query(booking): Query<Booking>) -> &'static str {
    let who = booking.passenger.replace(['\n', '\r'], " ");
    warn!("boarding of {}", who);
    "aboard"
}

pub fn sign_in(name: &str, password: &str) {
    tracing::info!("{} signs in with {}", name, password);
}

pub fn sign_in_quietly(name: &str, password_hash: &str) {
    tracing::info!("{} signs in, stored {}", name, password_hash);
}

pub fn show_token(access_token: &str) {
    println!("use {access_token} from now on");
}

pub fn show_expiry(token_expiry: u64) {
    println!("it lasts until {token_expiry}");
}

pub async fn keep_card(pool: &PgPool, card_number: &str) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO payments (card) VALUES ($1)").bind(card_number).execute(pool).await?;
    Ok(())
}

pub async fn keep_ticket(pool: &PgPool, ticket_number: &str) -> sqlx::Result<()> {
    sqlx::query("INSERT INTO tickets (number) VALUES ($1)").bind(ticket_number).execute(pool).await?;
    Ok(())
}

pub fn guard(password: &str) -> Vec<u8> {
    Sha256::digest(password.as_bytes()).to_vec()
}

pub fn fingerprint_of(cargo: &[u8]) -> Vec<u8> {
    Sha256::digest(cargo).to_vec()
}

pub fn stretch(phrase: &[u8], salt: &[u8], out: &mut [u8]) {
    pbkdf2_hmac::<Sha256>(phrase, salt, 4096, out);
}

pub fn stretch_long(phrase: &[u8], salt: &[u8], out: &mut [u8]) {
    pbkdf2_hmac::<Sha256>(phrase, salt, 600_000, out);
}

pub fn seal() -> Aes256Gcm {
    Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(b"captain keeps this in the cabin!"))
}

pub fn seal_with(secret: &[u8]) -> Aes256Gcm {
    Aes256Gcm::new(Key::<Aes256Gcm>::from_slice(secret))
}

pub unsafe fn unload(crate_at: *mut u8, layout: std::alloc::Layout) -> u8 {
    std::alloc::dealloc(crate_at, layout);
    std::ptr::read(crate_at)
}

pub unsafe fn unload_first(crate_at: *mut u8, layout: std::alloc::Layout) -> u8 {
    let inside = std::ptr::read(crate_at);
    std::alloc::dealloc(crate_at, layout);
    inside
}

pub fn empty_hold() -> [u8; 32] {
    unsafe { MaybeUninit::<[u8; 32]>::uninit().assume_init() }
}

pub fn clean_hold() -> [u8; 32] {
    unsafe { MaybeUninit::<[u8; 32]>::zeroed().assume_init() }
}

pub struct Hold<T>(*mut T);

unsafe impl<T> Send for Hold<T> {}

unsafe impl<T: Sync> Sync for Hold<T> {}

pub fn count(passengers: &Mutex<u32>, seats: &RwLock<u32>) {
    let _ = passengers.lock().unwrap();
    let _taken = seats.write().unwrap();
}

pub fn introduce(token: HeaderValue) -> HeaderMap {
    let mut all = HeaderMap::new();
    all.insert(header::AUTHORIZATION, token);
    all
}

pub fn introduce_quietly(mut token: HeaderValue) -> HeaderMap {
    let mut all = HeaderMap::new();
    token.set_sensitive(true);
    all.insert(header::AUTHORIZATION, token);
    all
}

pub async fn search(Query(booking): Query<Booking>, names: &str) -> bool {
    Regex::new(&booking.pattern).unwrap().is_match(names)
}

pub async fn search_word(Query(booking): Query<Booking>, names: &str) -> bool {
    Regex::new(&regex::escape(&booking.pattern)).unwrap().is_match(names)
}

pub async fn aboard(list: &Collection<Ticket>, script: String) {
    list.find_one(doc! { "$where": script }, None).await;
}

pub async fn aboard_by_name(list: &Collection<Ticket>, name: String) {
    list.find_one(doc! { "name": name }, None).await;
}

pub static mut PASSENGERS: u32 = 0;

pub static SEATS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

pub async fn tides() -> reqwest::Result<reqwest::Response> {
    reqwest::get("http://tides.harbour.io/today").await
}

pub async fn tides_guarded() -> reqwest::Result<reqwest::Response> {
    reqwest::get("https://tides.harbour.io/today").await
}

pub fn ticket_cookie(id: &str) -> cookie::Cookie<'_> {
    cookie::Cookie::build(("ticket", id)).http_only(true).secure(false).build()
}

pub fn seat_cookie(id: &str) -> cookie::Cookie<'_> {
    cookie::Cookie::build(("seat", id)).http_only(true).build()
}

pub fn guarded_cookie(id: &str) -> cookie::Cookie<'_> {
    cookie::Cookie::build(("ticket", id)).http_only(true).secure(true).build()
}

pub fn old_lock(secret: &[u8]) -> des::Des {
    des::Des::new_from_slice(secret).unwrap()
}

pub fn new_lock(secret: &[u8]) -> aes::Aes256 {
    aes::Aes256::new_from_slice(secret).unwrap()
}

pub fn old_chain(secret: &[u8], iv: &[u8]) {
    cbc::Encryptor::<des::TdesEde3>::new(secret.into(), iv.into());
}

pub fn new_chain(secret: &[u8], iv: &[u8]) {
    cbc::Encryptor::<aes::Aes256>::new(secret.into(), iv.into());
}

pub unsafe fn read_manifest(path: *const i8) {
    xmlReadFile(path, std::ptr::null(), XML_PARSE_NOENT as i32);
}

pub unsafe fn read_manifest_alone(path: *const i8) {
    xmlReadFile(path, std::ptr::null(), XML_PARSE_NONET as i32);
}

pub fn steer(course: &str) {
    std::process::Command::new("sh").arg("-c").arg(course).status();
}

pub fn steer_to(course: &str) {
    std::process::Command::new("helm").arg("--to").arg(course).status();
}

pub async fn tariff(Query(booking): Query<Booking>) -> i64 {
    Engine::new().eval::<i64>(&booking.pattern).unwrap()
}

pub async fn tariff_fixed() -> i64 {
    Engine::new().eval::<i64>("40 + 2").unwrap()
}

pub fn open_up() {
    unsafe { libc::umask(0) };
}

pub fn close_up() {
    unsafe { libc::umask(0o077) };
}

pub fn manifest() -> Vec<u8> {
    let rows = std::env::args().nth(1).unwrap().parse::<usize>().unwrap();
    Vec::with_capacity(rows)
}

pub fn manifest_of(cargo: &[u8]) -> Vec<u8> {
    Vec::with_capacity(cargo.len())
}

pub async fn log_book(Query(booking): Query<Booking>) -> std::io::Result<String> {
    let page = std::path::PathBuf::from("/srv/log").join(&booking.passenger);
    if !page.starts_with("/srv/log") {
        return Ok(String::new());
    }
    std::fs::read_to_string(page)
}

pub async fn log_book_resolved(Query(booking): Query<Booking>) -> std::io::Result<String> {
    let page = std::path::PathBuf::from("/srv/log").join(&booking.passenger).canonicalize()?;
    if !page.starts_with("/srv/log") {
        return Ok(String::new());
    }
    std::fs::read_to_string(page)
}
