//! One macro for the enums that have exactly one spelling each: the variants, the tokens, and the way back.
//! Deliberately not here: enums whose spelling depends on the contract, such as `Severity`.

/// Declares an enum together with the one token that stands for each variant.
macro_rules! closed_set {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $token:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            /// Every value, in the order of the contract.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Returns the contract's spelling.
            pub const fn token(self) -> &'static str {
                match self { $(Self::$variant => $token,)+ }
            }

            /// Returns the value that the contract spells so, letter for letter.
            pub fn from_token(token: &str) -> Option<Self> {
                match token { $($token => Some(Self::$variant),)+ _ => None }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.token())
            }
        }
    };
}

pub(crate) use closed_set;
