# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_jury_global_optspecs
    string join \n color= h/help V/version
end

function __fish_jury_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_jury_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_jury_using_subcommand
    set -l cmd (__fish_jury_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c jury -n "__fish_jury_needs_command" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_needs_command" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_needs_command" -s V -l version -d 'Print version'
complete -c jury -n "__fish_jury_needs_command" -f -a "review" -d 'Review a change, decide, and write the verdict file'
complete -c jury -n "__fish_jury_needs_command" -f -a "verify" -d 'Verify findings marked fixed'
complete -c jury -n "__fish_jury_needs_command" -f -a "status" -d 'Show the last review and the state of its findings'
complete -c jury -n "__fish_jury_needs_command" -f -a "show" -d 'Show one finding with its code, trail and history'
complete -c jury -n "__fish_jury_needs_command" -f -a "report" -d 'Write the report of the last full review'
complete -c jury -n "__fish_jury_needs_command" -f -a "mark" -d 'Mark findings as fixed, declined or open'
complete -c jury -n "__fish_jury_needs_command" -f -a "accept" -d 'Accept findings or unreadable files as a person, signed with a key that the base lists'
complete -c jury -n "__fish_jury_needs_command" -f -a "contest" -d 'Contest a finding with evidence: the tree refutes it, or who raised it is asked again'
complete -c jury -n "__fish_jury_needs_command" -f -a "waive" -d 'Write a waiver to .jury/waivers.toml for a commit on the base'
complete -c jury -n "__fish_jury_needs_command" -f -a "fix" -d 'Apply the rewrites that rules define, keep those that work, and mark the findings fixed'
complete -c jury -n "__fish_jury_needs_command" -f -a "loop" -d 'Repeat review, fix by a command, and verify until the gate passes or progress stops'
complete -c jury -n "__fish_jury_needs_command" -f -a "next" -d 'Print the next step'
complete -c jury -n "__fish_jury_needs_command" -f -a "gate" -d 'Check whether this tree may merge'
complete -c jury -n "__fish_jury_needs_command" -f -a "explain" -d 'Explain the verdict and the gate, or one finding'
complete -c jury -n "__fish_jury_needs_command" -f -a "replay" -d 'Repeat the decision of a review from its record'
complete -c jury -n "__fish_jury_needs_command" -f -a "abort" -d 'Halt the team and write abort-reason.md for a person'
complete -c jury -n "__fish_jury_needs_command" -f -a "publish" -d 'Publish the review in its pull request'
complete -c jury -n "__fish_jury_needs_command" -f -a "attest" -d 'Sign the verdict of a clear gate, or check signed verdicts'
complete -c jury -n "__fish_jury_needs_command" -f -a "restore" -d 'Restore the sealed verdict file'
complete -c jury -n "__fish_jury_needs_command" -f -a "trust" -d 'Show the reviewers of jury.toml and trust them'
complete -c jury -n "__fish_jury_needs_command" -f -a "config" -d 'Show the effective configuration and the source of each value'
complete -c jury -n "__fish_jury_needs_command" -f -a "cache" -d 'List or clear cached reviewer answers'
complete -c jury -n "__fish_jury_needs_command" -f -a "sync" -d 'Fetch and push acceptances, signed verdicts and their records (refs/jury)'
complete -c jury -n "__fish_jury_needs_command" -f -a "task" -d 'Drive the reviewers of a task by verdict files'
complete -c jury -n "__fish_jury_needs_command" -f -a "hook" -d 'Answer a hook of an agent host or of git'
complete -c jury -n "__fish_jury_needs_command" -f -a "mcp" -d 'Serve the Model Context Protocol to agents'
complete -c jury -n "__fish_jury_needs_command" -f -a "init" -d 'Set up the agents and git hooks of this repository'
complete -c jury -n "__fish_jury_needs_command" -f -a "doctor" -d 'Check the installation, hooks, trust and state, and run a self-test'
complete -c jury -n "__fish_jury_needs_command" -f -a "demo" -d 'Play review, fix, verify and gate in a throw-away repository'
complete -c jury -n "__fish_jury_needs_command" -f -a "rules" -d 'List the rules, show one, or test your own'
complete -c jury -n "__fish_jury_needs_command" -f -a "check" -d 'Check files against their format and report every deviation and repair'
complete -c jury -n "__fish_jury_needs_command" -f -a "convert" -d 'Convert a document to another format and list the losses'
complete -c jury -n "__fish_jury_needs_command" -f -a "merge" -d 'Merge the outputs of several reviewers into one verdict'
complete -c jury -n "__fish_jury_needs_command" -f -a "schema" -d 'Print the JSON Schema of a format or output, or list the schemas'
complete -c jury -n "__fish_jury_needs_command" -f -a "formats" -d 'List the formats'
complete -c jury -n "__fish_jury_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand review" -l scope -d 'Kind of scope' -r -f -a "changeset\t''
package\t''
team\t''
file\t''"
complete -c jury -n "__fish_jury_using_subcommand review" -l base -d 'Base of the change; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand review" -l head -d 'Review this commit as objects, without a checkout: built-in reviewers and APIs only, nothing is started' -r
complete -c jury -n "__fish_jury_using_subcommand review" -l intent -d 'File with acceptance criteria, or `-`: a reviewer with the persona `intent` answers each' -r
complete -c jury -n "__fish_jury_using_subcommand review" -l format -d 'Output format; `json` is the verdict file' -r -f -a "text\t''
json\t''
markdown\t''
sarif\t''
github\t'GitHub Actions annotations'
gitlab\t'GitLab Code Quality'
junit\t''
rdjson\t''"
complete -c jury -n "__fish_jury_using_subcommand review" -l output -d 'Output file' -r -F
complete -c jury -n "__fish_jury_using_subcommand review" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand review" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand review" -l quick -d 'Check uncommitted changes only; writes no report, and the last full verdict stays valid'
complete -c jury -n "__fish_jury_using_subcommand review" -l staged -d 'Check what is staged, as a commit would have it; writes nothing'
complete -c jury -n "__fish_jury_using_subcommand review" -l verify -d 'Verify findings marked fixed and review nothing else'
complete -c jury -n "__fish_jury_using_subcommand review" -l trust -d 'Run all reviewers in jury.toml of the base, trusted or not; for CI'
complete -c jury -n "__fish_jury_using_subcommand review" -l fresh -d 'Bypass the cache and ask every reviewer again'
complete -c jury -n "__fish_jury_using_subcommand review" -l resume -d 'Continue an interrupted review with the answers so far'
complete -c jury -n "__fish_jury_using_subcommand review" -l intent-from-pr -d 'Take the acceptance criteria from the text of the pull request (GitHub, GitLab); for CI'
complete -c jury -n "__fish_jury_using_subcommand review" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand verify" -l format -d 'Output format; `json` is the verdict file' -r -f -a "text\t''
json\t''
markdown\t''
sarif\t''
github\t'GitHub Actions annotations'
gitlab\t'GitLab Code Quality'
junit\t''
rdjson\t''"
complete -c jury -n "__fish_jury_using_subcommand verify" -l output -d 'Output file' -r -F
complete -c jury -n "__fish_jury_using_subcommand verify" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand verify" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand verify" -l trust -d 'Run all reviewers in jury.toml of the base, trusted or not; for CI'
complete -c jury -n "__fish_jury_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand status" -l format -d 'Output format' -r -f -a "text\t''
json\t''
markdown\t''
sarif\t''
github\t'GitHub Actions annotations'
gitlab\t'GitLab Code Quality'
junit\t''
rdjson\t''"
complete -c jury -n "__fish_jury_using_subcommand status" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand status" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand show" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand show" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand show" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand show" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand report" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand report" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand report" -l print -d 'Print the report and write nothing'
complete -c jury -n "__fish_jury_using_subcommand report" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand mark" -l reason -d 'Reason, stored with the mark' -r
complete -c jury -n "__fish_jury_using_subcommand mark" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand mark" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand mark" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand accept" -l reason -d 'Reason for the acceptance' -r
complete -c jury -n "__fish_jury_using_subcommand accept" -l expires -d 'Last valid day, such as 2027-01-31; default: until the accepted code or file changes' -r
complete -c jury -n "__fish_jury_using_subcommand accept" -l key -d 'Key to sign with; default: `user.signingkey` of git, or the only listed key of the SSH agent' -r -F
complete -c jury -n "__fish_jury_using_subcommand accept" -l by -d 'Name for a confirmation without a key; default: `user.name` of the repository\'s configuration' -r
complete -c jury -n "__fish_jury_using_subcommand accept" -l base -d 'Base of the change; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand accept" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand accept" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand accept" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand contest" -l shows -d 'Line that speaks against it, and what it reads' -r
complete -c jury -n "__fish_jury_using_subcommand contest" -l declared -d 'Name that the file of the finding declares' -r
complete -c jury -n "__fish_jury_using_subcommand contest" -l reason -d 'Why the finding is false' -r
complete -c jury -n "__fish_jury_using_subcommand contest" -l by -d 'Who contests it; default: `user.name` of the repository\'s configuration' -r
complete -c jury -n "__fish_jury_using_subcommand contest" -l base -d 'Base of the change; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand contest" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand contest" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand contest" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand contest" -l trust -d 'Ask reviewers in jury.toml of the base, trusted or not; for CI'
complete -c jury -n "__fish_jury_using_subcommand contest" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand waive" -l reason -d 'Reason for the waiver' -r
complete -c jury -n "__fish_jury_using_subcommand waive" -l expires -d 'Last valid day, such as 2027-01-31' -r
complete -c jury -n "__fish_jury_using_subcommand waive" -l by -d 'Person who accepts the finding; default: `user.name` of the repository\'s configuration' -r
complete -c jury -n "__fish_jury_using_subcommand waive" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand waive" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand waive" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand fix" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand fix" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand fix" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand fix" -l safe -d 'Also apply all safe rewrites'
complete -c jury -n "__fish_jury_using_subcommand fix" -l dry-run -d 'Print the diff and write nothing'
complete -c jury -n "__fish_jury_using_subcommand fix" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand loop" -l max-rounds -d 'Maximum number of rounds' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l max-time -d 'Maximum total time; a running command is ended' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l max-cost -d 'Maximum cost of the reviewing models over all rounds' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l max-tokens -d 'Maximum number of tokens over all rounds' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l base -d 'Base of the change; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l format -d 'Output format; output of the command goes to standard error' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand loop" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand loop" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand loop" -l trust -d 'Run all reviewers in jury.toml of the base, trusted or not; for CI'
complete -c jury -n "__fish_jury_using_subcommand loop" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand next" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand next" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand next" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand next" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand gate" -l base -d 'Base of the change; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand gate" -l pr -d 'Count the approvals of this pull request, of exactly what was judged, as decisions of the people whom the base names' -r
complete -c jury -n "__fish_jury_using_subcommand gate" -l head -d 'Judge this commit, as `jury review --head` does' -r
complete -c jury -n "__fish_jury_using_subcommand gate" -l forge -d 'Kind of forge: github, gitlab or gitea (also Forgejo); default: that of the CI' -r
complete -c jury -n "__fish_jury_using_subcommand gate" -l url -d 'Address of the server, or of its API' -r
complete -c jury -n "__fish_jury_using_subcommand gate" -l repo -d 'Repository: OWNER/NAME, or the project\'s path or number on GitLab' -r
complete -c jury -n "__fish_jury_using_subcommand gate" -l pace -d 'Milliseconds between two writes; without a time from the forge, a limit is waited for 60 times as long' -r
complete -c jury -n "__fish_jury_using_subcommand gate" -l format -d 'Output format' -r -f -a "text\t''
json\t''
github\t'GitHub Actions annotations'"
complete -c jury -n "__fish_jury_using_subcommand gate" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand gate" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand gate" -l worktree -d 'Judge the working tree, committed or not'
complete -c jury -n "__fish_jury_using_subcommand gate" -l attested -d 'Open by signed verdicts of HEAD\'s tree (`jury attest`) instead of a review of this worktree'
complete -c jury -n "__fish_jury_using_subcommand gate" -l record -d 'With --attested: also judge the attached record again'
complete -c jury -n "__fish_jury_using_subcommand gate" -l by-mode -d 'Exit with 0 while policy.mode of the base is observe, and print `observed: would be closed`; an ABORT stays closed'
complete -c jury -n "__fish_jury_using_subcommand gate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand explain" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand explain" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand explain" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand explain" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand replay" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand replay" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand replay" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand abort" -l reason -d 'Reason for the halt' -r
complete -c jury -n "__fish_jury_using_subcommand abort" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand abort" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand abort" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand publish" -l pr -d 'Number of the pull request; default: that of the CI job' -r
complete -c jury -n "__fish_jury_using_subcommand publish" -l forge -d 'Kind of forge: github, gitlab or gitea (also Forgejo); default: that of the CI' -r
complete -c jury -n "__fish_jury_using_subcommand publish" -l url -d 'Address of the server, or of its API' -r
complete -c jury -n "__fish_jury_using_subcommand publish" -l repo -d 'Repository: OWNER/NAME, or the project\'s path or number on GitLab' -r
complete -c jury -n "__fish_jury_using_subcommand publish" -l pace -d 'Milliseconds between two writes; without a time from the forge, a limit is waited for 60 times as long' -r
complete -c jury -n "__fish_jury_using_subcommand publish" -l base -d 'Base of the change; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand publish" -l head -d 'The commit that was reviewed with `jury review --head`' -r
complete -c jury -n "__fish_jury_using_subcommand publish" -l resolve -d 'Whether threads of verified findings are resolved' -r -f -a "auto\t'Those of verified findings'
never\t''"
complete -c jury -n "__fish_jury_using_subcommand publish" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand publish" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand publish" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand publish" -l dry-run -d 'Read the forge and show what would be written'
complete -c jury -n "__fish_jury_using_subcommand publish" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l key -d 'Key file; of a key in the agent, its public part' -r -F
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l days -d 'Days until the signature expires' -r
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l remote -d 'Remote to push to' -r
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l base -d 'Base of the change; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l agent -d 'Sign with a key of the ssh agent that .jury/signers of the base lists (default)'
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l raw -d 'Write a raw Ed25519 signature, for verifiers that do not read SSHSIG'
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l record -d 'Attach the record of the review, so that others can judge it again'
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -l push -d 'Push the signed verdict, and fetch those of others'
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -f -a "verify" -d 'Check the signed verdicts of HEAD\'s tree'
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -f -a "export" -d 'Write the signed verdicts of HEAD\'s tree, one envelope a line'
complete -c jury -n "__fish_jury_using_subcommand attest; and not __fish_seen_subcommand_from verify export help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from verify" -l base -d 'Base of the change; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from verify" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from verify" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from verify" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from verify" -l record -d 'Also judge the attached record again'
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from export" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from export" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from export" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Check the signed verdicts of HEAD\'s tree'
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from help" -f -a "export" -d 'Write the signed verdicts of HEAD\'s tree, one envelope a line'
complete -c jury -n "__fish_jury_using_subcommand attest; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand restore" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand restore" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand restore" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand trust" -l base -d 'Branch to read jury.toml from; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand trust" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand trust" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand trust" -l list -d 'List all reviewers'
complete -c jury -n "__fish_jury_using_subcommand trust" -l remove -d 'Revoke trust'
complete -c jury -n "__fish_jury_using_subcommand trust" -l yes -d 'Trust without asking'
complete -c jury -n "__fish_jury_using_subcommand trust" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand config" -l base -d 'Branch to read jury.toml from; default: upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand config" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand config" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand config" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand config" -l worktree -d 'Use jury.toml of the working tree, which takes effect once it is on the base'
complete -c jury -n "__fish_jury_using_subcommand config" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand cache" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand cache" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand cache" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand cache" -l clear -d 'Clear the cache'
complete -c jury -n "__fish_jury_using_subcommand cache" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand sync" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand sync" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand sync" -l always -d 'Have every `git fetch` of the remote bring them, too (`remote.NAME.fetch`)'
complete -c jury -n "__fish_jury_using_subcommand sync" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "start" -d 'Start a task: clear its reports dir and store the expected roles'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "run" -d 'Run the reviewer of a role and read its verdict file, pointer or block'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "watch" -d 'Wait for all expected roles, then aggregate'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "aggregate" -d 'Read the reports and write verdict-summary.kdl'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "gate" -d 'Check whether a task may continue, by its verdict files alone'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l expect -d 'Roles that have to report; `jury task run` adds its role' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l skip -d 'Roles that are not enabled for this change, listed as skipped' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l state-dir -d 'State dir with `reports/`; default: .dartai or .workflow if present, else .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l role -d 'Role of the reviewer' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l timeout -d 'Time limit' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l max-output -d 'Output limit in bytes' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l state-dir -d 'State dir with `reports/`; default: .dartai or .workflow if present, else .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l expect -d 'Additional roles that have to report' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l timeout -d 'Time limit; a role without a report by then is missing' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l linger -d 'Time to wait for late writes after the last report' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l state-dir -d 'State dir with `reports/`; default: .dartai or .workflow if present, else .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l expect -d 'Additional roles that have to report' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l state-dir -d 'State dir with `reports/`; default: .dartai or .workflow if present, else .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l brief -d 'Print the blockers of all failing reviewers for the implementer'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l expect -d 'Additional roles that have to report' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l state-dir -d 'State dir with `reports/`; default: .dartai or .workflow if present, else .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l brief -d 'Print the blockers of all failing reviewers for the implementer'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "start" -d 'Start a task: clear its reports dir and store the expected roles'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "run" -d 'Run the reviewer of a role and read its verdict file, pointer or block'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "watch" -d 'Wait for all expected roles, then aggregate'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "aggregate" -d 'Read the reports and write verdict-summary.kdl'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "gate" -d 'Check whether a task may continue, by its verdict files alone'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "claude" -d 'Claude Code: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "codex" -d 'Codex: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "gemini" -d 'Gemini CLI: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "cursor" -d 'Cursor: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "git" -d 'git: a quick check before a commit, the gate before a push'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from claude" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from claude" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from codex" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from codex" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from gemini" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from gemini" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from cursor" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from cursor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from git" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from git" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "claude" -d 'Claude Code: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "codex" -d 'Codex: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "gemini" -d 'Gemini CLI: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "cursor" -d 'Cursor: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "git" -d 'git: a quick check before a commit, the gate before a push'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand mcp" -l http -d 'Loopback address for HTTP, by default on any free port; JURY_MCP_TOKEN sets the token' -r
complete -c jury -n "__fish_jury_using_subcommand mcp" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand mcp" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand mcp" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand init" -l hosts -d 'Hosts: claude, codex, gemini, cursor, opencode, git; default: detected hosts and git' -r
complete -c jury -n "__fish_jury_using_subcommand init" -l linters -d 'Linter presets to add to jury.toml' -r
complete -c jury -n "__fish_jury_using_subcommand init" -l text-only -d 'Globs of code that no grammar reads and that may pass as text, for `[scope] text_only`' -r
complete -c jury -n "__fish_jury_using_subcommand init" -l sync -d 'Have every `git fetch` of this remote bring acceptances and signed verdicts (`remote.NAME.fetch`)' -r
complete -c jury -n "__fish_jury_using_subcommand init" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand init" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand init" -l yes -d 'Write without asking'
complete -c jury -n "__fish_jury_using_subcommand init" -l dry-run -d 'Show the changes and write nothing'
complete -c jury -n "__fish_jury_using_subcommand init" -l remove -d 'Restore all files'
complete -c jury -n "__fish_jury_using_subcommand init" -l full -d 'Show every line of every new file'
complete -c jury -n "__fish_jury_using_subcommand init" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand doctor" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand doctor" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand doctor" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand demo" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand demo" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -l domain -d 'Domain to list' -r -f -a "security\t''
typescript-quality\t''
code-quality\t''
testing\t''
api-patterns\t''
data-migration\t''
supply-chain\t''
project\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -l language -d 'Language to list, by name or file extension; `text` for rules over any text' -r
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -f -a "show" -d 'Show one rule with its reason, remedy and examples'
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -f -a "check" -d 'Test your own rules on their examples'
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from show" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from show" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from show" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from check" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from check" -s C -d 'Working directory' -r -F
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from check" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show one rule with its reason, remedy and examples'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from help" -f -a "check" -d 'Test your own rules on their examples'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand check" -l from -d 'Input format instead of detection (see `jury formats`)' -r -f -a "verdict-pointer\t''
code-review\t''
codex-review\t''
codex-verdict\t''
claude-security\t''
review-json\t''
sarif\t''
findings-json\t''
rdjson\t''
rdjsonl\t''
eslint\t''
gitlab-code-quality\t''
checkstyle\t''
review-md\t''
verdict-yaml\t''
verdict-lines\t''
legacy-report\t''
verdict-kdl\t''"
complete -c jury -n "__fish_jury_using_subcommand check" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand check" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand check" -l strict -d 'Refuse repairs; accept conforming files only'
complete -c jury -n "__fish_jury_using_subcommand check" -l explain -d 'Show the document with the fate of each part in the margin: claim, no claim, or unread'
complete -c jury -n "__fish_jury_using_subcommand check" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand convert" -l from -d 'Input format instead of detection (see `jury formats`)' -r -f -a "verdict-pointer\t''
code-review\t''
codex-review\t''
codex-verdict\t''
claude-security\t''
review-json\t''
sarif\t''
findings-json\t''
rdjson\t''
rdjsonl\t''
eslint\t''
gitlab-code-quality\t''
checkstyle\t''
review-md\t''
verdict-yaml\t''
verdict-lines\t''
legacy-report\t''
verdict-kdl\t''"
complete -c jury -n "__fish_jury_using_subcommand convert" -l to -d 'Output format (see `jury formats`)' -r -f -a "verdict-pointer\t''
code-review\t''
review-json\t''
sarif\t''
findings-json\t''
rdjson\t''
rdjsonl\t''
gitlab-code-quality\t''
checkstyle\t''
review-md\t''
verdict-yaml\t''
verdict-lines\t''
verdict-kdl\t''"
complete -c jury -n "__fish_jury_using_subcommand convert" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand convert" -l strict -d 'Write nothing if any value would be lost'
complete -c jury -n "__fish_jury_using_subcommand convert" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand merge" -l tree -d 'Folder to check quotes and lines against; absolute paths below it count as its files' -r -F
complete -c jury -n "__fish_jury_using_subcommand merge" -l diff -d 'Unified diff; findings outside it that do not say otherwise are pre-existing' -r
complete -c jury -n "__fish_jury_using_subcommand merge" -l near -d 'Merging of near-duplicates' -r -f -a "on\t''
off\t''"
complete -c jury -n "__fish_jury_using_subcommand merge" -l format -d 'Output: `text`, `json`, or a format id' -r -f -a "text\t''
json\t''
verdict-pointer\t''
code-review\t''
review-json\t''
sarif\t''
findings-json\t''
rdjson\t''
rdjsonl\t''
gitlab-code-quality\t''
checkstyle\t''
review-md\t''
verdict-yaml\t''
verdict-lines\t''
verdict-kdl\t''"
complete -c jury -n "__fish_jury_using_subcommand merge" -l explain -d 'Show how finding N was built' -r
complete -c jury -n "__fish_jury_using_subcommand merge" -l from -d 'Input format instead of detection (see `jury formats`)' -r -f -a "verdict-pointer\t''
code-review\t''
codex-review\t''
codex-verdict\t''
claude-security\t''
review-json\t''
sarif\t''
findings-json\t''
rdjson\t''
rdjsonl\t''
eslint\t''
gitlab-code-quality\t''
checkstyle\t''
review-md\t''
verdict-yaml\t''
verdict-lines\t''
legacy-report\t''
verdict-kdl\t''"
complete -c jury -n "__fish_jury_using_subcommand merge" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand merge" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand schema" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand schema" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand formats" -l format -d 'Output format' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand formats" -l color -d 'Colour mode; `auto` is on for terminals unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand formats" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "review" -d 'Review a change, decide, and write the verdict file'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "verify" -d 'Verify findings marked fixed'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "status" -d 'Show the last review and the state of its findings'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "show" -d 'Show one finding with its code, trail and history'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "report" -d 'Write the report of the last full review'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "mark" -d 'Mark findings as fixed, declined or open'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "accept" -d 'Accept findings or unreadable files as a person, signed with a key that the base lists'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "contest" -d 'Contest a finding with evidence: the tree refutes it, or who raised it is asked again'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "waive" -d 'Write a waiver to .jury/waivers.toml for a commit on the base'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "fix" -d 'Apply the rewrites that rules define, keep those that work, and mark the findings fixed'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "loop" -d 'Repeat review, fix by a command, and verify until the gate passes or progress stops'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "next" -d 'Print the next step'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "gate" -d 'Check whether this tree may merge'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "explain" -d 'Explain the verdict and the gate, or one finding'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "replay" -d 'Repeat the decision of a review from its record'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "abort" -d 'Halt the team and write abort-reason.md for a person'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "publish" -d 'Publish the review in its pull request'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "attest" -d 'Sign the verdict of a clear gate, or check signed verdicts'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "restore" -d 'Restore the sealed verdict file'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "trust" -d 'Show the reviewers of jury.toml and trust them'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "config" -d 'Show the effective configuration and the source of each value'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "cache" -d 'List or clear cached reviewer answers'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "sync" -d 'Fetch and push acceptances, signed verdicts and their records (refs/jury)'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "task" -d 'Drive the reviewers of a task by verdict files'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "hook" -d 'Answer a hook of an agent host or of git'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "mcp" -d 'Serve the Model Context Protocol to agents'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "init" -d 'Set up the agents and git hooks of this repository'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "doctor" -d 'Check the installation, hooks, trust and state, and run a self-test'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "demo" -d 'Play review, fix, verify and gate in a throw-away repository'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "rules" -d 'List the rules, show one, or test your own'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "check" -d 'Check files against their format and report every deviation and repair'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "convert" -d 'Convert a document to another format and list the losses'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "merge" -d 'Merge the outputs of several reviewers into one verdict'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "schema" -d 'Print the JSON Schema of a format or output, or list the schemas'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "formats" -d 'List the formats'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show report mark accept contest waive fix loop next gate explain replay abort publish attest restore trust config cache sync task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from attest" -f -a "verify" -d 'Check the signed verdicts of HEAD\'s tree'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from attest" -f -a "export" -d 'Write the signed verdicts of HEAD\'s tree, one envelope a line'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "start" -d 'Start a task: clear its reports dir and store the expected roles'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "run" -d 'Run the reviewer of a role and read its verdict file, pointer or block'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "watch" -d 'Wait for all expected roles, then aggregate'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "aggregate" -d 'Read the reports and write verdict-summary.kdl'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "gate" -d 'Check whether a task may continue, by its verdict files alone'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "claude" -d 'Claude Code: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "codex" -d 'Codex: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "gemini" -d 'Gemini CLI: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "cursor" -d 'Cursor: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "git" -d 'git: a quick check before a commit, the gate before a push'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from rules" -f -a "show" -d 'Show one rule with its reason, remedy and examples'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from rules" -f -a "check" -d 'Test your own rules on their examples'
