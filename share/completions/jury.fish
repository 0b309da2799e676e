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

complete -c jury -n "__fish_jury_needs_command" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_needs_command" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_needs_command" -s V -l version -d 'Print version'
complete -c jury -n "__fish_jury_needs_command" -f -a "review" -d 'Review a change, decide, and write the verdict file'
complete -c jury -n "__fish_jury_needs_command" -f -a "verify" -d 'Look again at what is marked fixed'
complete -c jury -n "__fish_jury_needs_command" -f -a "status" -d 'Show the last review and how its findings stand'
complete -c jury -n "__fish_jury_needs_command" -f -a "show" -d 'Show one finding with its code, its trail and its history'
complete -c jury -n "__fish_jury_needs_command" -f -a "mark" -d 'Claim that findings are fixed, decline them, or take that back'
complete -c jury -n "__fish_jury_needs_command" -f -a "waive" -d 'Write a waiver of a finding into .jury/waivers.toml, to be committed on the base'
complete -c jury -n "__fish_jury_needs_command" -f -a "fix" -d 'Make the rewrites that rules state, keep those that hold, and mark the findings fixed'
complete -c jury -n "__fish_jury_needs_command" -f -a "loop" -d 'Review, let a command fix what was found, look again, and so on until it passes or makes no sense'
complete -c jury -n "__fish_jury_needs_command" -f -a "next" -d 'Say what to do after the last review'
complete -c jury -n "__fish_jury_needs_command" -f -a "gate" -d 'Say whether this tree may merge'
complete -c jury -n "__fish_jury_needs_command" -f -a "explain" -d 'Say why the verdict is what it is'
complete -c jury -n "__fish_jury_needs_command" -f -a "replay" -d 'Decide a review again from its record alone'
complete -c jury -n "__fish_jury_needs_command" -f -a "abort" -d 'Halt the work and leave word for a person'
complete -c jury -n "__fish_jury_needs_command" -f -a "restore" -d 'Write the true verdict file back'
complete -c jury -n "__fish_jury_needs_command" -f -a "trust" -d 'Show the commands of jury.toml, and trust them'
complete -c jury -n "__fish_jury_needs_command" -f -a "config" -d 'Show the configuration that counts, and where each value comes from'
complete -c jury -n "__fish_jury_needs_command" -f -a "cache" -d 'Show the answers of reviewers that are kept, or remove them'
complete -c jury -n "__fish_jury_needs_command" -f -a "task" -d 'Drive the reviewers of a task, and decide by their verdict files'
complete -c jury -n "__fish_jury_needs_command" -f -a "hook" -d 'Answer a hook of an agent\'s host or of git, in its own convention'
complete -c jury -n "__fish_jury_needs_command" -f -a "mcp" -d 'Serve agents over the Model Context Protocol'
complete -c jury -n "__fish_jury_needs_command" -f -a "init" -d 'Put Jury into the settings of the agents and git of this repository'
complete -c jury -n "__fish_jury_needs_command" -f -a "doctor" -d 'Say what is installed, active, trusted and reachable'
complete -c jury -n "__fish_jury_needs_command" -f -a "demo" -d 'Show the whole way once, on a throw-away repository'
complete -c jury -n "__fish_jury_needs_command" -f -a "rules" -d 'List the rules, show one, or try those of the repository'
complete -c jury -n "__fish_jury_needs_command" -f -a "check" -d 'Say what files are, where they break their contract, and what of that can be repaired'
complete -c jury -n "__fish_jury_needs_command" -f -a "convert" -d 'Say a document in another format, and list what that costs'
complete -c jury -n "__fish_jury_needs_command" -f -a "merge" -d 'Merge the outputs of several reviewers and decide'
complete -c jury -n "__fish_jury_needs_command" -f -a "schema" -d 'Print the JSON Schema of a format or of an output, or list them'
complete -c jury -n "__fish_jury_needs_command" -f -a "formats" -d 'List the formats'
complete -c jury -n "__fish_jury_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand review" -l scope -d 'What kind of thing to review' -r -f -a "changeset\t''
package\t''
team\t''
file\t''"
complete -c jury -n "__fish_jury_using_subcommand review" -l base -d 'What to compare with; else the upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand review" -l format -d 'How to print the result; `json` is the verdict file itself' -r -f -a "text\t''
json\t''
markdown\t''
sarif\t''
github\t'Annotations of GitHub Actions'
gitlab\t'GitLab Code Quality'
junit\t''
rdjson\t''"
complete -c jury -n "__fish_jury_using_subcommand review" -l output -d 'Print the result into this file' -r -F
complete -c jury -n "__fish_jury_using_subcommand review" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand review" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand review" -l quick -d 'Check uncommitted changes only; no report, and the last full verdict still counts'
complete -c jury -n "__fish_jury_using_subcommand review" -l verify -d 'Look again at what is marked fixed, and at nothing else'
complete -c jury -n "__fish_jury_using_subcommand review" -l trust -d 'Run every command that jury.toml of the base names, trusted or not; for CI'
complete -c jury -n "__fish_jury_using_subcommand review" -l fresh -d 'Ask every reviewer anew, whatever it answered before'
complete -c jury -n "__fish_jury_using_subcommand review" -l resume -d 'Go on with a review that was ended before it was finished; whoever has answered is not asked again'
complete -c jury -n "__fish_jury_using_subcommand review" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand verify" -l format -d 'How to print the result; `json` is the verdict file itself' -r -f -a "text\t''
json\t''
markdown\t''
sarif\t''
github\t'Annotations of GitHub Actions'
gitlab\t'GitLab Code Quality'
junit\t''
rdjson\t''"
complete -c jury -n "__fish_jury_using_subcommand verify" -l output -d 'Print the result into this file' -r -F
complete -c jury -n "__fish_jury_using_subcommand verify" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand verify" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand verify" -l trust -d 'Run every command that jury.toml of the base names, trusted or not; for CI'
complete -c jury -n "__fish_jury_using_subcommand verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand status" -l format -d 'How to print it; all but `text` and `json` say what the verdict file says' -r -f -a "text\t''
json\t''
markdown\t''
sarif\t''
github\t'Annotations of GitHub Actions'
gitlab\t'GitLab Code Quality'
junit\t''
rdjson\t''"
complete -c jury -n "__fish_jury_using_subcommand status" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand status" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand show" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand show" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand show" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand show" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand mark" -l reason -d 'Why; kept with the mark' -r
complete -c jury -n "__fish_jury_using_subcommand mark" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand mark" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand mark" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand waive" -l reason -d 'Why it is accepted' -r
complete -c jury -n "__fish_jury_using_subcommand waive" -l expires -d 'The last day on which the waiver counts, such as 2027-01-31' -r
complete -c jury -n "__fish_jury_using_subcommand waive" -l by -d 'Who accepts it; else the `user.name` of the repository\'s own configuration' -r
complete -c jury -n "__fish_jury_using_subcommand waive" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand waive" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand waive" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand fix" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand fix" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand fix" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand fix" -l safe -d 'Beside those that are named, make all rewrites that are safe'
complete -c jury -n "__fish_jury_using_subcommand fix" -l dry-run -d 'Show what would be changed, and write nothing'
complete -c jury -n "__fish_jury_using_subcommand fix" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand loop" -l max-rounds -d 'How many times the command may be run' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l max-time -d 'How long all of it may take; a command that is running then is ended' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l max-cost -d 'How many dollars the models may cost that review, in all rounds' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l max-tokens -d 'How many tokens they may take' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l base -d 'What to compare with; else the upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand loop" -l format -d 'Who the output is for; what the command prints goes to standard error' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand loop" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand loop" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand loop" -l trust -d 'Run every reviewer that jury.toml of the base names, trusted or not; for CI'
complete -c jury -n "__fish_jury_using_subcommand loop" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand next" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand next" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand next" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand next" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand gate" -l base -d 'What the change is to be merged into; else the upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand gate" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''
github\t'Annotations of GitHub Actions'"
complete -c jury -n "__fish_jury_using_subcommand gate" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand gate" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand gate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand explain" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand explain" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand explain" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand explain" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand replay" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand replay" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand replay" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand abort" -l reason -d 'Why nobody should go on' -r
complete -c jury -n "__fish_jury_using_subcommand abort" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand abort" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand abort" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand restore" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand restore" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand restore" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand trust" -l base -d 'The branch whose jury.toml counts; else the upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand trust" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand trust" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand trust" -l list -d 'Only show them'
complete -c jury -n "__fish_jury_using_subcommand trust" -l remove -d 'Trust them no more'
complete -c jury -n "__fish_jury_using_subcommand trust" -l yes -d 'Do not ask; for whoever has read the commands'
complete -c jury -n "__fish_jury_using_subcommand trust" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand config" -l base -d 'The branch whose jury.toml counts; else the upstream, origin/HEAD, main or master' -r
complete -c jury -n "__fish_jury_using_subcommand config" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand config" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand config" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand config" -l worktree -d 'Show the file of the working tree, which counts once it is on the base'
complete -c jury -n "__fish_jury_using_subcommand config" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand cache" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand cache" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand cache" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand cache" -l clear -d 'Remove them'
complete -c jury -n "__fish_jury_using_subcommand cache" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "start" -d 'Clear the reports dir of a task, and say who has to report'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "run" -d 'Run the reviewer of a role, and take what it delivers: a verdict file, a pointer to it, or a block'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "watch" -d 'Wait until everybody has reported, then sum up'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "aggregate" -d 'Read what was delivered, and write verdict-summary.kdl'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "gate" -d 'Say whether a task may go on, by its verdict files alone; nothing is written'
complete -c jury -n "__fish_jury_using_subcommand task; and not __fish_seen_subcommand_from start run watch aggregate gate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l expect -d 'Roles that have to report; those that `jury task run` runs have to as well' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l skip -d 'Roles that are not enabled for this change, to be named as skipped' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l state-dir -d 'The state dir below which `reports/` lies; else .dartai if it is there, .workflow if it is there, .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from start" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l role -d 'The role that the reviewer has' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l timeout -d 'How long it may run' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l max-output -d 'How many bytes it may print' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l state-dir -d 'The state dir below which `reports/` lies; else .dartai if it is there, .workflow if it is there, .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from run" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l expect -d 'Roles that have to report, beside those that the task was started with' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l timeout -d 'How long to wait for the last; who has not reported by then is missing' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l linger -d 'How long to go on once everybody has reported' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l state-dir -d 'The state dir below which `reports/` lies; else .dartai if it is there, .workflow if it is there, .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from watch" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l expect -d 'Roles that have to report, beside those that the task was started with' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l state-dir -d 'The state dir below which `reports/` lies; else .dartai if it is there, .workflow if it is there, .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -l brief -d 'Print the blockers of all failing reviewers, for the implementer'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from aggregate" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l expect -d 'Roles that have to report, beside those that the task was started with' -r
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l state-dir -d 'The state dir below which `reports/` lies; else .dartai if it is there, .workflow if it is there, .dartai' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -l brief -d 'Print the blockers of all failing reviewers, for the implementer'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from gate" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "start" -d 'Clear the reports dir of a task, and say who has to report'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "run" -d 'Run the reviewer of a role, and take what it delivers: a verdict file, a pointer to it, or a block'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "watch" -d 'Wait until everybody has reported, then sum up'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "aggregate" -d 'Read what was delivered, and write verdict-summary.kdl'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "gate" -d 'Say whether a task may go on, by its verdict files alone; nothing is written'
complete -c jury -n "__fish_jury_using_subcommand task; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "claude" -d 'Claude Code: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "codex" -d 'Codex: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "gemini" -d 'Gemini CLI: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "cursor" -d 'Cursor: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "git" -d 'git: a quick check before a commit, the gate before a push'
complete -c jury -n "__fish_jury_using_subcommand hook; and not __fish_seen_subcommand_from claude codex gemini cursor git help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from claude" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from claude" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from codex" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from codex" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from gemini" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from gemini" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from cursor" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from cursor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from git" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from git" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "claude" -d 'Claude Code: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "codex" -d 'Codex: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "gemini" -d 'Gemini CLI: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "cursor" -d 'Cursor: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "git" -d 'git: a quick check before a commit, the gate before a push'
complete -c jury -n "__fish_jury_using_subcommand hook; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand mcp" -l http -d 'Serve over HTTP on a loopback address, any free port unless one is named; JURY_MCP_TOKEN holds the token' -r
complete -c jury -n "__fish_jury_using_subcommand mcp" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand mcp" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand mcp" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand init" -l hosts -d 'For whom: claude, codex, gemini, cursor, opencode, git; else those that are found, and git' -r
complete -c jury -n "__fish_jury_using_subcommand init" -l linters -d 'Ready-made linters to name in jury.toml' -r
complete -c jury -n "__fish_jury_using_subcommand init" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand init" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand init" -l yes -d 'Do not ask; for whoever has read what is shown'
complete -c jury -n "__fish_jury_using_subcommand init" -l dry-run -d 'Only show what would be written'
complete -c jury -n "__fish_jury_using_subcommand init" -l remove -d 'Take everything back'
complete -c jury -n "__fish_jury_using_subcommand init" -l full -d 'Show every line of every new file'
complete -c jury -n "__fish_jury_using_subcommand init" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand doctor" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand doctor" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand doctor" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand demo" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand demo" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -l domain -d 'Only the rules of this domain' -r -f -a "security\t''
typescript-quality\t''
code-quality\t''
testing\t''
api-patterns\t''
data-migration\t''
project\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -l language -d 'Only the rules for this language, by its name or the ending of its files; `text` for those over any text' -r
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -f -a "show" -d 'Show the page of one rule: why it matters, what to do, and examples'
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -f -a "check" -d 'Try rules of the repository on their own examples'
complete -c jury -n "__fish_jury_using_subcommand rules; and not __fish_seen_subcommand_from show check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from show" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from show" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from show" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from show" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from check" -l format -d 'Who the output is for' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from check" -s C -d 'Work as if started in this folder' -r -F
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from check" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from check" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from help" -f -a "show" -d 'Show the page of one rule: why it matters, what to do, and examples'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from help" -f -a "check" -d 'Try rules of the repository on their own examples'
complete -c jury -n "__fish_jury_using_subcommand rules; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand check" -l from -d 'Read the files as this format instead of finding it by looking (`jury formats` lists them)' -r -f -a "verdict-pointer\t''
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
complete -c jury -n "__fish_jury_using_subcommand check" -l format -d 'Who the output is for: people or programs' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand check" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand check" -l strict -d 'Refuse every repair: accept only what conforms in every point'
complete -c jury -n "__fish_jury_using_subcommand check" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand convert" -l from -d 'Read the file as this format instead of finding it by looking (`jury formats` lists them)' -r -f -a "verdict-pointer\t''
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
complete -c jury -n "__fish_jury_using_subcommand convert" -l to -d 'The format to write (`jury formats` lists them)' -r -f -a "verdict-pointer\t''
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
complete -c jury -n "__fish_jury_using_subcommand convert" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand convert" -l strict -d 'Write nothing if anything would be lost'
complete -c jury -n "__fish_jury_using_subcommand convert" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand merge" -l tree -d 'Hold quotes and lines against the files in this folder; absolute paths below it name its files' -r -F
complete -c jury -n "__fish_jury_using_subcommand merge" -l diff -d 'Take what this unified diff does not touch for pre-existing' -r
complete -c jury -n "__fish_jury_using_subcommand merge" -l near -d 'Whether claims that are nearly the same are merged, too' -r -f -a "on\t''
off\t''"
complete -c jury -n "__fish_jury_using_subcommand merge" -l format -d 'Who the output is for: `text`, `json`, or the id of a format to write' -r -f -a "text\t''
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
complete -c jury -n "__fish_jury_using_subcommand merge" -l explain -d 'Show how the finding of this number came to be what it is' -r
complete -c jury -n "__fish_jury_using_subcommand merge" -l from -d 'Read the files as this format instead of finding it by looking (`jury formats` lists them)' -r -f -a "verdict-pointer\t''
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
complete -c jury -n "__fish_jury_using_subcommand merge" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand merge" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand schema" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand schema" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand formats" -l format -d 'Who the output is for: people or programs' -r -f -a "text\t''
json\t''"
complete -c jury -n "__fish_jury_using_subcommand formats" -l color -d 'When to use colour; `auto` is on a terminal, unless NO_COLOR is set' -r -f -a "auto\t''
always\t''
never\t''"
complete -c jury -n "__fish_jury_using_subcommand formats" -s h -l help -d 'Print help'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "review" -d 'Review a change, decide, and write the verdict file'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "verify" -d 'Look again at what is marked fixed'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "status" -d 'Show the last review and how its findings stand'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "show" -d 'Show one finding with its code, its trail and its history'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "mark" -d 'Claim that findings are fixed, decline them, or take that back'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "waive" -d 'Write a waiver of a finding into .jury/waivers.toml, to be committed on the base'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "fix" -d 'Make the rewrites that rules state, keep those that hold, and mark the findings fixed'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "loop" -d 'Review, let a command fix what was found, look again, and so on until it passes or makes no sense'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "next" -d 'Say what to do after the last review'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "gate" -d 'Say whether this tree may merge'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "explain" -d 'Say why the verdict is what it is'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "replay" -d 'Decide a review again from its record alone'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "abort" -d 'Halt the work and leave word for a person'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "restore" -d 'Write the true verdict file back'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "trust" -d 'Show the commands of jury.toml, and trust them'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "config" -d 'Show the configuration that counts, and where each value comes from'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "cache" -d 'Show the answers of reviewers that are kept, or remove them'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "task" -d 'Drive the reviewers of a task, and decide by their verdict files'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "hook" -d 'Answer a hook of an agent\'s host or of git, in its own convention'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "mcp" -d 'Serve agents over the Model Context Protocol'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "init" -d 'Put Jury into the settings of the agents and git of this repository'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "doctor" -d 'Say what is installed, active, trusted and reachable'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "demo" -d 'Show the whole way once, on a throw-away repository'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "rules" -d 'List the rules, show one, or try those of the repository'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "check" -d 'Say what files are, where they break their contract, and what of that can be repaired'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "convert" -d 'Say a document in another format, and list what that costs'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "merge" -d 'Merge the outputs of several reviewers and decide'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "schema" -d 'Print the JSON Schema of a format or of an output, or list them'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "formats" -d 'List the formats'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from review verify status show mark waive fix loop next gate explain replay abort restore trust config cache task hook mcp init doctor demo rules check convert merge schema formats help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "start" -d 'Clear the reports dir of a task, and say who has to report'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "run" -d 'Run the reviewer of a role, and take what it delivers: a verdict file, a pointer to it, or a block'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "watch" -d 'Wait until everybody has reported, then sum up'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "aggregate" -d 'Read what was delivered, and write verdict-summary.kdl'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from task" -f -a "gate" -d 'Say whether a task may go on, by its verdict files alone; nothing is written'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "claude" -d 'Claude Code: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "codex" -d 'Codex: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "gemini" -d 'Gemini CLI: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "cursor" -d 'Cursor: its JSON on standard input'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from hook" -f -a "git" -d 'git: a quick check before a commit, the gate before a push'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from rules" -f -a "show" -d 'Show the page of one rule: why it matters, what to do, and examples'
complete -c jury -n "__fish_jury_using_subcommand help; and __fish_seen_subcommand_from rules" -f -a "check" -d 'Try rules of the repository on their own examples'
