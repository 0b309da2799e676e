//! The exit codes of the `jury` binary (DESIGN §11), in one table.

macro_rules! exit_codes {
    ($($(#[$meta:meta])* $variant:ident = $code:literal, $what:literal;)+) => {
        /// How the `jury` binary ends.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ExitCode { $($(#[$meta])* $variant,)+ }

        impl ExitCode {
            /// Every exit code, in ascending order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Returns the number.
            pub const fn code(self) -> u8 {
                match self { $(Self::$variant => $code,)+ }
            }

            /// Says what it means.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $what,)+ }
            }
        }
    };
}

exit_codes! {
    /// Nothing stands in the way.
    Clear = 0, "clear: nothing stands in the way; every checked file conforms or could be repaired";
    /// Findings, deviations or losses stand in the way.
    Blocked = 1, "blocked: by findings, by what is beyond repair (`check`), by deviations (`check --strict`), or by losses (`convert --strict`)";
    /// The command line or the configuration is wrong.
    Usage = 2, "usage or configuration: the command could not be understood, or a named file not read";
    /// A person has to look first.
    Aborted = 3, "aborted: a system-breaking Blocker stands";
    /// Something could not be reviewed.
    Incomplete = 4, "incomplete: something could not be reviewed";
    /// The state on disk was refused.
    Refused = 5, "state refused: tampered, newer, damaged or locked";
    /// A person interrupted it.
    Interrupted = 130, "interrupted: by SIGINT; whatever was running was ended, and the state is as it was";
    /// The system, or another program, asked it to go.
    Terminated = 143, "terminated: by SIGTERM or SIGHUP; whatever was running was ended, and the state is as it was";
}
