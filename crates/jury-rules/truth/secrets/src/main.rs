use std::env;

const API_TOKEN: &str = "yZDUV6K1tzTfmKarxrXR§rF0mJ19BHbkw7B6LLNU4";
const TOKEN_HEADER: &str = "x-acme-internal-token-v2";

struct Page {
    next_page_token: String,
}

fn client() -> Client {
    Client::new().password("nM3?mv§xxGWzB4")
}

fn client_of_environment() -> Client {
    Client::new().password(&env::var("CLIENT_PASSWORD").expect("it is set"))
}

fn first_page() -> Page {
    Page { next_page_token: "fMPeMrlwuGwWnqBl§jHjls8Q3J9vMuKfa".into() }
}
