use std::fs;
use std::os::unix::fs::PermissionsExt;

use jsonwebtoken::{decode, encode, DecodingKey, EncodingKey, Header, Validation};
use md5::{Digest, Md5};
use rand::{rngs::SmallRng, Rng, SeedableRng};
use sha1::Sha1;
use sha2::Sha256;

pub fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .danger_accept_invalid_certs(true)
        .build()
        .unwrap()
}

pub fn client_strict() -> reqwest::Client {
    reqwest::Client::builder()
        .danger_accept_invalid_certs(false)
        .build()
        .unwrap()
}

pub fn password_digest(password: &str) -> String {
    let mut hasher = Md5::new();
    hasher.update(password);
    format!("{:x}", hasher.finalize())
}

pub fn sign(message: &[u8]) -> Vec<u8> {
    Sha1::digest(message).to_vec()
}

pub fn digest(message: &[u8]) -> Vec<u8> {
    Sha256::digest(message).to_vec()
}

pub fn short(password: &str) -> String {
    format!("{:x}", md5::compute(password))
}

pub fn session_token() -> u64 {
    let mut rng = SmallRng::seed_from_u64(42);
    rng.gen()
}

pub fn session_token_strong() -> u64 {
    let mut rng = rand::thread_rng();
    rng.gen()
}

pub fn open_to_all(path: &str) -> std::io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o777))
}

pub fn private(path: &str) -> std::io::Result<()> {
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
}

pub fn scratch(data: &[u8]) -> std::io::Result<()> {
    fs::write("/tmp/app-state.json", data)
}

pub fn scratch_fresh(data: &[u8]) -> std::io::Result<()> {
    let file = tempfile::NamedTempFile::new()?;
    fs::write(file.path(), data)
}

pub fn claims(token: &str, key: &DecodingKey) -> Claims {
    let mut validation = Validation::default();
    validation.insecure_disable_signature_validation();
    decode::<Claims>(token, key, &validation).unwrap().claims
}

pub fn claims_checked(token: &str, key: &DecodingKey) -> Claims {
    let validation = Validation::default();
    decode::<Claims>(token, key, &validation).unwrap().claims
}

pub fn issue(claims: &Claims) -> String {
    encode(&Header::default(), claims, &EncodingKey::from_secret(b"keyboard cat")).unwrap()
}

pub fn issue_from(claims: &Claims, secret: &[u8]) -> String {
    encode(&Header::default(), claims, &EncodingKey::from_secret(secret)).unwrap()
}

pub fn reinterpret(x: f32) -> u32 {
    unsafe { std::mem::transmute(x) }
}

pub fn bits(x: f32) -> u32 {
    x.to_bits()
}

pub async fn listen() -> tokio::net::TcpListener {
    tokio::net::TcpListener::bind("0.0.0.0:3000").await.unwrap()
}

pub async fn listen_local() -> tokio::net::TcpListener {
    tokio::net::TcpListener::bind("127.0.0.1:3000").await.unwrap()
}
