use std::fs;
use std::path::{Path as FsPath, PathBuf};
use std::process::Command;

use actix_web::{get, web, HttpRequest, HttpResponse, Responder};
use axum::response::{Html, Redirect};

#[derive(serde::Deserialize)]
pub struct Params {
    host: String,
    file: String,
    next: String,
    count: u32,
}

#[get("/ping")]
pub async fn ping(query: web::Query<Params>) -> impl Responder {
    let out = Command::new("sh")
        .arg("-c")
        .arg(format!("ping -c 1 {}", query.host))
        .output()
        .unwrap();
    HttpResponse::Ok().body(out.stdout)
}

#[get("/ping2")]
pub async fn ping_direct(query: web::Query<Params>) -> impl Responder {
    let out = Command::new("ping").arg("-c").arg("1").arg(&query.host).output().unwrap();
    HttpResponse::Ok().body(out.stdout)
}

pub fn archive(dir: &str) -> std::io::Result<()> {
    let script = format!("tar czf /backup/today.tgz {dir}");
    Command::new("/bin/bash").args(["-c", &script]).status()?;
    Ok(())
}

pub fn uptime() -> std::io::Result<()> {
    Command::new("/bin/bash").args(["-c", "uptime | cut -d, -f1"]).status()?;
    Ok(())
}

#[get("/files/{name}")]
pub async fn file(name: web::Path<String>) -> impl Responder {
    let path = PathBuf::from("/srv/files").join(name.into_inner());
    match fs::read(path) {
        Ok(data) => HttpResponse::Ok().body(data),
        Err(_) => HttpResponse::NotFound().finish(),
    }
}

#[get("/safe/{name}")]
pub async fn file_safe(name: web::Path<String>) -> impl Responder {
    let name = name.into_inner();
    if name.contains("..") || name.starts_with('/') {
        return HttpResponse::Forbidden().finish();
    }
    match fs::read(format!("/srv/files/{name}")) {
        Ok(data) => HttpResponse::Ok().body(data),
        Err(_) => HttpResponse::NotFound().finish(),
    }
}

pub async fn fetch(axum::extract::Query(p): axum::extract::Query<Params>) -> String {
    reqwest::get(&p.host).await.unwrap().text().await.unwrap()
}

pub async fn fetch_known(axum::extract::Query(p): axum::extract::Query<Params>) -> String {
    let url = format!("https://api.example.com/items/{}", urlencoding::encode(&p.file));
    reqwest::get(&url).await.unwrap().text().await.unwrap()
}

pub async fn hello(axum::extract::Query(p): axum::extract::Query<Params>) -> Html<String> {
    Html(format!("<h1>{}</h1>", p.host))
}

pub async fn hello_safe(axum::extract::Query(p): axum::extract::Query<Params>) -> Html<String> {
    Html(format!("<h1>{}</h1>", html_escape::encode_text(&p.host)))
}

pub async fn leave(axum::extract::Query(p): axum::extract::Query<Params>) -> Redirect {
    Redirect::to(&p.next)
}

pub async fn home() -> Redirect {
    Redirect::to("/home")
}
