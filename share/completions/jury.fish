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
complete -c jury -n "__fish_jury_needs_command" -f -a "check" -d 'Say what files are, where they break their contract, and what of that can be repaired'
complete -c jury -n "__fish_jury_needs_command" -f -a "convert" -d 'Say a document in another format, and list what that costs'
complete -c jury -n "__fish_jury_needs_command" -f -a "merge" -d 'Merge the outputs of several reviewers and decide'
complete -c jury -n "__fish_jury_needs_command" -f -a "schema" -d 'Print the JSON Schema of a format or of an output, or list them'
complete -c jury -n "__fish_jury_needs_command" -f -a "formats" -d 'List the formats'
complete -c jury -n "__fish_jury_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
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
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from check convert merge schema formats help" -f -a "check" -d 'Say what files are, where they break their contract, and what of that can be repaired'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from check convert merge schema formats help" -f -a "convert" -d 'Say a document in another format, and list what that costs'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from check convert merge schema formats help" -f -a "merge" -d 'Merge the outputs of several reviewers and decide'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from check convert merge schema formats help" -f -a "schema" -d 'Print the JSON Schema of a format or of an output, or list them'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from check convert merge schema formats help" -f -a "formats" -d 'List the formats'
complete -c jury -n "__fish_jury_using_subcommand help; and not __fish_seen_subcommand_from check convert merge schema formats help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
