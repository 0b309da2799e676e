use std::net::{Ipv4Addr, SocketAddr};

pub fn lamp_open() -> SocketAddr {
    SocketAddr::from(([0, 0, 0, 0], 7070))
}

pub fn lamp_closed() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 7070))
}

pub fn beam_old(mut lamp: SslAcceptorBuilder) {
    lamp.set_min_proto_version(Some(SslVersion::TLS1)).unwrap();
}

pub fn beam_new(mut lamp: SslAcceptorBuilder) {
    lamp.set_min_proto_version(Some(SslVersion::TLS1_2)).unwrap();
}

pub fn keeper() -> Ipv4Addr {
    Ipv4Addr::LOCALHOST
}
