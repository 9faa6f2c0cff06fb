# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_nqueens_global_optspecs
    string join \n color= h/help V/version
end

function __fish_nqueens_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_nqueens_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_nqueens_using_subcommand
    set -l cmd (__fish_nqueens_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c nqueens -n "__fish_nqueens_needs_command" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_needs_command" -s V -l version -d 'Print version'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "solve" -d 'Write the solutions themselves, in lexicographic order'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "show" -d 'Check a placement of queens and draw it'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "classes" -d 'Count the solutions of each kind of symmetry'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "estimate" -d 'Estimate a count, and how long it would take'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "plan" -d 'Cut a count into shards for many machines'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "merge" -d 'Add the results of all shards up'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "status" -d 'Show which shards are done, running and missing'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "devices" -d 'List the GPUs that can be used'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "selftest" -d 'Check that this machine counts rightly'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "bench" -d 'Time the CPU against the GPU on the same boards'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "ladder" -d 'Time the textbook solvers beside the methods of this program'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "completions" -d 'Write the completions of the command line for a shell'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "man" -d 'Write the man pages to a folder'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "count" -d 'Count the solutions for a board of n rows and columns'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "run" -d 'Count one shard of a plan'
complete -c nqueens -n "__fish_nqueens_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -s f -l format -d 'How the boards are written' -r -f -a "board\t'Drawn with a frame on a terminal, else as letters Q and `.`, an empty line between boards'
leetcode\t'One JSON array of boards, each an array of strings'
columns\t'The queens\' columns, a board a line: 1 3 0 2'
json\t'One JSON object a line'
svg\t'One SVG drawing of all boards, 10,000 at most'"
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -s l -l limit -d 'Stop after this many boards' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -s s -l skip -d 'Leave out the first boards of those that would be written' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -l symmetry -d 'Only boards that this rotation leaves unchanged' -r -f -a "half-turn\t'By 180 degrees'
quarter-turn\t'By 90 degrees'"
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -s u -l unique -d 'Only one of the rotated and reflected images of each board: the first'
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -l json -d 'The same as --format json'
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -s q -l quiet -d 'Nothing but the boards'
complete -c nqueens -n "__fish_nqueens_using_subcommand solve" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand show" -s o -l output -d 'Draw the board to an SVG file instead of as text' -r -F
complete -c nqueens -n "__fish_nqueens_using_subcommand show" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand show" -l json -d 'One JSON object instead of text'
complete -c nqueens -n "__fish_nqueens_using_subcommand show" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -s b -l backend -d 'Where to count' -r -f -a "auto\t'A hardware GPU where there is one and n is large enough, else the CPU'
gpu\t'A GPU, be it emulated'
cpu\t'The CPU'"
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -s d -l device -d 'The GPU to use, as `nqueens devices` lists them' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -s t -l threads -d 'CPU threads [default: all cores]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -l memory -d 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -s m -l method -d 'How to count all solutions' -r -f -a "auto\t'The fastest measured'
row-order\t'Rows from the top down, halved by the mirror symmetry: the baseline'
most-constrained\t'The row or column with the fewest free squares, once for each class of eight symmetric boards'
half-join\t'Meet in the middle: both halves of the board enumerated, their compatible pairs counted; on the CPU only, in much memory'"
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -l progress -d 'How progress is shown on stderr: auto, bar, lines or none' -r -f -a "auto\t'A bar on a terminal, lines elsewhere'
bar\t'A line that is drawn anew'
lines\t'A line now and then'
none\t'Nothing'"
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -l json -d 'One JSON object instead of the table'
complete -c nqueens -n "__fish_nqueens_using_subcommand classes" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -s s -l samples -d 'How many random prefixes to count [default: as many as can be counted in a second; a small board is counted whole]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -l seed -d 'Another seed gives another sample' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -s b -l backend -d 'Where to count' -r -f -a "auto\t'A hardware GPU where there is one and n is large enough, else the CPU'
gpu\t'A GPU, be it emulated'
cpu\t'The CPU'"
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -s d -l device -d 'The GPU to use, as `nqueens devices` lists them' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -s t -l threads -d 'CPU threads [default: all cores]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -l memory -d 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -s m -l method -d 'How it would be counted' -r -f -a "auto\t'The fastest measured'
row-order\t'Rows from the top down, halved by the mirror symmetry: the baseline'
most-constrained\t'The row or column with the fewest free squares, once for each class of eight symmetric boards'
half-join\t'Meet in the middle: both halves of the board enumerated, their compatible pairs counted; on the CPU only, in much memory'"
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -l progress -d 'How progress is shown on stderr: auto, bar, lines or none' -r -f -a "auto\t'A bar on a terminal, lines elsewhere'
bar\t'A line that is drawn anew'
lines\t'A line now and then'
none\t'Nothing'"
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -l stats -d 'Also estimate how many queens would be placed'
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -l json -d 'One JSON object'
complete -c nqueens -n "__fish_nqueens_using_subcommand estimate" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand plan" -s s -l shards -d 'How many shards, of about equal work' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand plan" -s o -l output -d 'Where the plan is written' -r -F
complete -c nqueens -n "__fish_nqueens_using_subcommand plan" -s m -l method -d 'How to count' -r -f -a "auto\t'The fastest measured'
row-order\t'Rows from the top down, halved by the mirror symmetry: the baseline'
most-constrained\t'The row or column with the fewest free squares, once for each class of eight symmetric boards'
half-join\t'Meet in the middle: both halves of the board enumerated, their compatible pairs counted; on the CPU only, in much memory'"
complete -c nqueens -n "__fish_nqueens_using_subcommand plan" -l prefix-rows -d 'How many rows the CPU places before the search [default: enough for every shard to keep a device busy]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand plan" -l memory -d 'Memory that half-join will have on each machine, such as 512M or 16G [default: a quarter of what is free here]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand plan" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand plan" -l json -d 'What was planned as one JSON object on stdout'
complete -c nqueens -n "__fish_nqueens_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand merge" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand merge" -s u -l unique -d 'Solutions up to rotation and reflection (OEIS A002562) instead of all'
complete -c nqueens -n "__fish_nqueens_using_subcommand merge" -l json -d 'One JSON object instead of the bare count'
complete -c nqueens -n "__fish_nqueens_using_subcommand merge" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand status" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand status" -l missing -d 'Only the shards that nobody has done or is doing, as `0,3,7-9`: for `sbatch --array`'
complete -c nqueens -n "__fish_nqueens_using_subcommand status" -l json -d 'One JSON object instead of the table'
complete -c nqueens -n "__fish_nqueens_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand devices" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand devices" -l json -d 'One JSON object a device, a line each'
complete -c nqueens -n "__fish_nqueens_using_subcommand devices" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand selftest" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand selftest" -l full -d 'Every board from 0 to 14 by each method on the CPU, and from 0 to 12 on each device, emulated ones included; else a few small ones on the CPU and on each hardware GPU'
complete -c nqueens -n "__fish_nqueens_using_subcommand selftest" -l json -d 'One JSON object a check'
complete -c nqueens -n "__fish_nqueens_using_subcommand selftest" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -s b -l backend -d 'Where to count' -r -f -a "auto\t'A hardware GPU where there is one and n is large enough, else the CPU'
gpu\t'A GPU, be it emulated'
cpu\t'The CPU'"
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -s d -l device -d 'The GPU to use, as `nqueens devices` lists them' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -s t -l threads -d 'CPU threads [default: all cores]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l memory -d 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l slice-steps -d 'Also the GPU with slices of this many steps an invocation, instead of as many as make a slice last about 100 ms' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l invocations -d 'Also the GPU with slices of at most this many invocations, instead of as many as suit it' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -s m -l method -d 'The method; once for each [default: all]' -r -f -a "auto\t'The fastest measured'
row-order\t'Rows from the top down, halved by the mirror symmetry: the baseline'
most-constrained\t'The row or column with the fewest free squares, once for each class of eight symmetric boards'
half-join\t'Meet in the middle: both halves of the board enumerated, their compatible pairs counted; on the CPU only, in much memory'"
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -s r -l repetitions -d 'How often each is run; the median counts, the least and the greatest are given too' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l time-limit -d 'Leave out what would not end in this many seconds, all runs together: judged by the n before, so the first n always runs' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l export -d 'Also write the results to a file, as its name says: .md, .csv, .json or, as a chart, .svg. Once for each file; written anew after each n' -r -F
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l compare -d 'Also print the new times over those in a file that --export has written' -r -F
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l max-slowdown -d 'End with code 10 if a median is more than this factor of the older one, as in 1.10' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l gpu-only -d 'The GPU alone, without the CPU beside it'
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -l json -d 'One JSON object a row'
complete -c nqueens -n "__fish_nqueens_using_subcommand bench" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand ladder" -l export -d 'Also draw the times as a bar chart. Drawn anew after each rung' -r -F
complete -c nqueens -n "__fish_nqueens_using_subcommand ladder" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand ladder" -l json -d 'One JSON object a rung'
complete -c nqueens -n "__fish_nqueens_using_subcommand ladder" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand completions" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand man" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -s b -l backend -d 'Where to count' -r -f -a "auto\t'A hardware GPU where there is one and n is large enough, else the CPU'
gpu\t'A GPU, be it emulated'
cpu\t'The CPU'"
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -s t -l threads -d 'CPU threads [default: all cores]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l memory -d 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -s m -l method -d 'How to count' -r -f -a "auto\t'The fastest measured'
row-order\t'Rows from the top down, halved by the mirror symmetry: the baseline'
most-constrained\t'The row or column with the fewest free squares, once for each class of eight symmetric boards'
half-join\t'Meet in the middle: both halves of the board enumerated, their compatible pairs counted; on the CPU only, in much memory'"
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l prefix-rows -d 'How many rows the CPU places before the search [default: chosen from n and the device]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l checkpoint -d 'Save progress in this file, and resume from it if it is there: for counts that take long' -r -F
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l save-every -d 'Time between two saves of the checkpoint: 50ms, 60s, 5m, 1h [default: 60s]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l verify -d 'Verify a part of the prefixes, such as 1%: count them once more by another method' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l time-limit -d 'Stop after this time: save, and exit with code 8. The same command resumes' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l on-device-loss -d 'What to do when the last device was given up' -r -f -a "cpu\t'The CPU takes over'
stop\t'The job ends; a checkpoint keeps what is done'"
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l progress -d 'How progress is shown on stderr: auto, bar, lines or none' -r -f -a "auto\t'A bar on a terminal, lines elsewhere'
bar\t'A line that is drawn anew'
lines\t'A line now and then'
none\t'Nothing'"
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -s d -l device -d 'The GPU to use, as `nqueens devices` lists them' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -s u -l unique -d 'Count solutions up to rotation and reflection (OEIS A002562) instead of all'
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l stats -d 'Also say how many queens were placed, and on a GPU how busy its lanes were'
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l double-check -d 'Count everything twice, by two methods, and demand the same count'
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -s q -l quiet -d 'Nothing but the count'
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -l json -d 'One JSON object instead of the bare count'
complete -c nqueens -n "__fish_nqueens_using_subcommand count" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -s s -l shard -d 'Which shard, from 0' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -s o -l out -d 'The folder of the results' -r -F
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l save-every -d 'Time between two saves of the checkpoint: 50ms, 60s, 5m, 1h [default: 60s]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l verify -d 'Verify a part of the prefixes, such as 1%: count them once more by another method' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l time-limit -d 'Stop after this time: save, and exit with code 8. The same command resumes' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l on-device-loss -d 'What to do when the last device was given up' -r -f -a "cpu\t'The CPU takes over'
stop\t'The job ends; a checkpoint keeps what is done'"
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -s b -l backend -d 'Where to count' -r -f -a "auto\t'A hardware GPU where there is one and n is large enough, else the CPU'
gpu\t'A GPU, be it emulated'
cpu\t'The CPU'"
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -s t -l threads -d 'CPU threads [default: all cores]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l memory -d 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l progress -d 'How progress is shown on stderr: auto, bar, lines or none' -r -f -a "auto\t'A bar on a terminal, lines elsewhere'
bar\t'A line that is drawn anew'
lines\t'A line now and then'
none\t'Nothing'"
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -s d -l device -d 'The GPU to use, as `nqueens devices` lists them' -r
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l color -d 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l checkpoint -d 'Save progress beside the result, and resume from it if it is there'
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l stats -d 'Also count how many queens are placed'
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -s q -l quiet -d 'Nothing but the sum'
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -l json -d 'One JSON object instead of the bare sum'
complete -c nqueens -n "__fish_nqueens_using_subcommand run" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "solve" -d 'Write the solutions themselves, in lexicographic order'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "show" -d 'Check a placement of queens and draw it'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "classes" -d 'Count the solutions of each kind of symmetry'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "estimate" -d 'Estimate a count, and how long it would take'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "plan" -d 'Cut a count into shards for many machines'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "merge" -d 'Add the results of all shards up'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "status" -d 'Show which shards are done, running and missing'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "devices" -d 'List the GPUs that can be used'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "selftest" -d 'Check that this machine counts rightly'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "bench" -d 'Time the CPU against the GPU on the same boards'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "ladder" -d 'Time the textbook solvers beside the methods of this program'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "completions" -d 'Write the completions of the command line for a shell'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "man" -d 'Write the man pages to a folder'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "count" -d 'Count the solutions for a board of n rows and columns'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "run" -d 'Count one shard of a plan'
complete -c nqueens -n "__fish_nqueens_using_subcommand help; and not __fish_seen_subcommand_from solve show classes estimate plan merge status devices selftest bench ladder completions man count run help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
