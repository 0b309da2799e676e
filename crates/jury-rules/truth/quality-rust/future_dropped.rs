async fn ship(crate_id: u32) -> bool {
    crate_id > 1
}
async fn load_all() {
    ship(1);
    ship(2).await;
    let _ = ship(3);
    let sent = ship(4);
    sent.await;
}
