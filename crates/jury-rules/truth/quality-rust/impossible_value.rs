use std::mem;
unsafe fn wire(code: u8) {
    let hook: extern "C" fn(u8) = mem::transmute(std::ptr::null::<()>());
    let hook: Option<extern "C" fn(u8)> = None;
    let on: bool = mem::transmute(code);
    let on: bool = code != 0;
    let peer: &mut Peer = mem::zeroed();
    let peer: Peer = mem::zeroed();
    link(hook, on, peer);
}
