//! Where connections come from, as far as somebody can choose it: limits count by this.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An IPv4 address, or the /64 of an IPv6 address, all of which usually belongs to one machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Source(IpAddr);

impl From<IpAddr> for Source {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(v6) => Self(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into()),
            v4 => Self(v4),
        }
    }
}

/// One that cannot be told: all of these are counted together.
impl Default for Source {
    fn default() -> Self {
        Self(Ipv4Addr::UNSPECIFIED.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_addresses_of_one_network_are_one_source() {
        let source = |text: &str| Source::from(text.parse::<IpAddr>().expect("an address"));
        assert_eq!(source("2001:db8::1"), source("2001:db8::ffff:2"));
        assert_ne!(source("2001:db8::1"), source("2001:db8:0:1::1"));
        assert_eq!(source("::ffff:192.0.2.1"), source("192.0.2.1"));
        assert_ne!(source("192.0.2.1"), source("192.0.2.2"));
    }
}
