use axum::extract::Query;

const PIERS: [&str; 2] = ["https://north.example/", "https://south.example/"];

async fn weather(Query(asked): Query<Asked>) -> String {
    if !PIERS.contains(&asked.pier.as_str()) {
        return String::new();
    }
    reqwest::get(&asked.pier).await.unwrap().text().await.unwrap()
}

async fn weather_anywhere(Query(asked): Query<Asked>) -> String {
    let piers = vec![asked.pier.clone()];
    if !piers.contains(&asked.pier) {
        return String::new();
    }
    reqwest::get(&asked.pier).await.unwrap().text().await.unwrap()
}

fn seal(salt: &[u8; 4], count: &[u8; 8]) -> aead::Nonce {
    let mut start = [0u8; 12];
    start[..4].copy_from_slice(salt);
    start[4..].copy_from_slice(count);
    aead::Nonce::assume_unique_for_key(start)
}

fn seal_all_alike() -> aead::Nonce {
    let start = [0u8; 12];
    aead::Nonce::assume_unique_for_key(start)
}

fn client() -> reqwest::Client {
    reqwest::Client::builder().danger_accept_invalid_certs(true).build().unwrap()
}

#[cfg(test)]
mod tests {
    fn client() -> reqwest::Client {
        reqwest::Client::builder().danger_accept_invalid_certs(true).build().unwrap()
    }
}
