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

            /// Returns its meaning.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $what,)+ }
            }
        }
    };
}

exit_codes! {
    /// Nothing stands in the way.
    Clear = 0, "clear: nothing blocks; every checked file conforms or was repaired";
    /// Findings, deviations or losses stand in the way.
    Blocked = 1, "blocked: by findings, unrepairable files (`check`), deviations (`check --strict`) or losses (`convert --strict`)";
    /// The command line or the configuration is wrong.
    Usage = 2, "usage or configuration: invalid command line or configuration, or a file cannot be read";
    /// A person has to look first.
    Aborted = 3, "aborted: a system-breaking Blocker stands";
    /// Something could not be reviewed.
    Incomplete = 4, "incomplete: part of the change was not reviewed";
    /// The state on disk was refused.
    Refused = 5, "state refused: tampered, newer, damaged or locked";
    /// A person has to decide.
    Waiting = 6, "waiting: only a person can go on; `jury next` names the files and findings";
    /// A person interrupted it.
    Interrupted = 130, "interrupted: by SIGINT; running processes were ended, and the state is unchanged";
    /// The system, or another program, asked it to go.
    Terminated = 143, "terminated: by SIGTERM or SIGHUP; running processes were ended, and the state is unchanged";
}
