
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'nqueens' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'nqueens'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'nqueens' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('solve', 'solve', [CompletionResultType]::ParameterValue, 'Write the solutions themselves, in lexicographic order')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Check a placement of queens and draw it')
            [CompletionResult]::new('classes', 'classes', [CompletionResultType]::ParameterValue, 'Count the solutions of each kind of symmetry')
            [CompletionResult]::new('estimate', 'estimate', [CompletionResultType]::ParameterValue, 'Estimate a count, and how long it would take')
            [CompletionResult]::new('plan', 'plan', [CompletionResultType]::ParameterValue, 'Cut a count into shards for many machines')
            [CompletionResult]::new('merge', 'merge', [CompletionResultType]::ParameterValue, 'Add the results of all shards up')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show which shards are done, running and missing')
            [CompletionResult]::new('devices', 'devices', [CompletionResultType]::ParameterValue, 'List the GPUs that can be used')
            [CompletionResult]::new('selftest', 'selftest', [CompletionResultType]::ParameterValue, 'Check that this machine counts rightly')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Time the CPU against the GPU on the same boards')
            [CompletionResult]::new('ladder', 'ladder', [CompletionResultType]::ParameterValue, 'Time the textbook solvers beside the methods of this program')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Write the completions of the command line for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the man pages to a folder')
            [CompletionResult]::new('count', 'count', [CompletionResultType]::ParameterValue, 'Count the solutions for a board of n rows and columns')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Count one shard of a plan')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'nqueens;solve' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'How the boards are written')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'How the boards are written')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Stop after this many boards')
            [CompletionResult]::new('--limit', '--limit', [CompletionResultType]::ParameterName, 'Stop after this many boards')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Leave out the first boards of those that would be written')
            [CompletionResult]::new('--skip', '--skip', [CompletionResultType]::ParameterName, 'Leave out the first boards of those that would be written')
            [CompletionResult]::new('--symmetry', '--symmetry', [CompletionResultType]::ParameterName, 'Only boards that this rotation leaves unchanged')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('-u', '-u', [CompletionResultType]::ParameterName, 'Only one of the rotated and reflected images of each board: the first')
            [CompletionResult]::new('--unique', '--unique', [CompletionResultType]::ParameterName, 'Only one of the rotated and reflected images of each board: the first')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'The same as --format json')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Nothing but the boards')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Nothing but the boards')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;show' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Draw the board to an SVG file instead of as text')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Draw the board to an SVG file instead of as text')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of text')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;classes' {
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('--device', '--device', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--memory', '--memory', [CompletionResultType]::ParameterName, 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'How to count all solutions')
            [CompletionResult]::new('--method', '--method', [CompletionResultType]::ParameterName, 'How to count all solutions')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'How progress is shown on stderr: auto, bar, lines or none')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of the table')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;estimate' {
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'How many random prefixes to count [default: as many as can be counted in a second; a small board is counted whole]')
            [CompletionResult]::new('--samples', '--samples', [CompletionResultType]::ParameterName, 'How many random prefixes to count [default: as many as can be counted in a second; a small board is counted whole]')
            [CompletionResult]::new('--seed', '--seed', [CompletionResultType]::ParameterName, 'Another seed gives another sample')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('--device', '--device', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--memory', '--memory', [CompletionResultType]::ParameterName, 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'How it would be counted')
            [CompletionResult]::new('--method', '--method', [CompletionResultType]::ParameterName, 'How it would be counted')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'How progress is shown on stderr: auto, bar, lines or none')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'Also estimate how many queens would be placed')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;plan' {
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'How many shards, of about equal work')
            [CompletionResult]::new('--shards', '--shards', [CompletionResultType]::ParameterName, 'How many shards, of about equal work')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Where the plan is written')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Where the plan is written')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'How to count')
            [CompletionResult]::new('--method', '--method', [CompletionResultType]::ParameterName, 'How to count')
            [CompletionResult]::new('--prefix-rows', '--prefix-rows', [CompletionResultType]::ParameterName, 'How many rows the CPU places before the search [default: enough for every shard to keep a device busy]')
            [CompletionResult]::new('--memory', '--memory', [CompletionResultType]::ParameterName, 'Memory that half-join will have on each machine, such as 512M or 16G [default: a quarter of what is free here]')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'What was planned as one JSON object on stdout')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;merge' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('-u', '-u', [CompletionResultType]::ParameterName, 'Solutions up to rotation and reflection (OEIS A002562) instead of all')
            [CompletionResult]::new('--unique', '--unique', [CompletionResultType]::ParameterName, 'Solutions up to rotation and reflection (OEIS A002562) instead of all')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of the bare count')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;status' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--missing', '--missing', [CompletionResultType]::ParameterName, 'Only the shards that nobody has done or is doing, as `0,3,7-9`: for `sbatch --array`')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of the table')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;devices' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object a device, a line each')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;selftest' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Every board from 0 to 14 by each method on the CPU, and from 0 to 12 on each device, emulated ones included; else a few small ones on the CPU and on each hardware GPU')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object a check')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;bench' {
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('--device', '--device', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--memory', '--memory', [CompletionResultType]::ParameterName, 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]')
            [CompletionResult]::new('--slice-steps', '--slice-steps', [CompletionResultType]::ParameterName, 'Also the GPU with slices of this many steps an invocation, instead of as many as make a slice last about 100 ms')
            [CompletionResult]::new('--invocations', '--invocations', [CompletionResultType]::ParameterName, 'Also the GPU with slices of at most this many invocations, instead of as many as suit it')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'The method; once for each [default: all]')
            [CompletionResult]::new('--method', '--method', [CompletionResultType]::ParameterName, 'The method; once for each [default: all]')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'How often each is run; the median counts, the least and the greatest are given too')
            [CompletionResult]::new('--repetitions', '--repetitions', [CompletionResultType]::ParameterName, 'How often each is run; the median counts, the least and the greatest are given too')
            [CompletionResult]::new('--time-limit', '--time-limit', [CompletionResultType]::ParameterName, 'Leave out what would not end in this many seconds, all runs together: judged by the n before, so the first n always runs')
            [CompletionResult]::new('--export', '--export', [CompletionResultType]::ParameterName, 'Also write the results to a file, as its name says: .md, .csv, .json or, as a chart, .svg. Once for each file; written anew after each n')
            [CompletionResult]::new('--compare', '--compare', [CompletionResultType]::ParameterName, 'Also print the new times over those in a file that --export has written')
            [CompletionResult]::new('--max-slowdown', '--max-slowdown', [CompletionResultType]::ParameterName, 'End with code 10 if a median is more than this factor of the older one, as in 1.10')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--gpu-only', '--gpu-only', [CompletionResultType]::ParameterName, 'The GPU alone, without the CPU beside it')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object a row')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;ladder' {
            [CompletionResult]::new('--export', '--export', [CompletionResultType]::ParameterName, 'Also draw the times as a bar chart. Drawn anew after each rung')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object a rung')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;completions' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;man' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;count' {
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--memory', '--memory', [CompletionResultType]::ParameterName, 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]')
            [CompletionResult]::new('-m', '-m', [CompletionResultType]::ParameterName, 'How to count')
            [CompletionResult]::new('--method', '--method', [CompletionResultType]::ParameterName, 'How to count')
            [CompletionResult]::new('--prefix-rows', '--prefix-rows', [CompletionResultType]::ParameterName, 'How many rows the CPU places before the search [default: chosen from n and the device]')
            [CompletionResult]::new('--checkpoint', '--checkpoint', [CompletionResultType]::ParameterName, 'Save progress in this file, and resume from it if it is there: for counts that take long')
            [CompletionResult]::new('--save-every', '--save-every', [CompletionResultType]::ParameterName, 'Time between two saves of the checkpoint: 50ms, 60s, 5m, 1h [default: 60s]')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Verify a part of the prefixes, such as 1%: count them once more by another method')
            [CompletionResult]::new('--time-limit', '--time-limit', [CompletionResultType]::ParameterName, 'Stop after this time: save, and exit with code 8. The same command resumes')
            [CompletionResult]::new('--on-device-loss', '--on-device-loss', [CompletionResultType]::ParameterName, 'What to do when the last device was given up')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'How progress is shown on stderr: auto, bar, lines or none')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('--device', '--device', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('-u', '-u', [CompletionResultType]::ParameterName, 'Count solutions up to rotation and reflection (OEIS A002562) instead of all')
            [CompletionResult]::new('--unique', '--unique', [CompletionResultType]::ParameterName, 'Count solutions up to rotation and reflection (OEIS A002562) instead of all')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'Also say how many queens were placed, and on a GPU how busy its lanes were')
            [CompletionResult]::new('--double-check', '--double-check', [CompletionResultType]::ParameterName, 'Count everything twice, by two methods, and demand the same count')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Nothing but the count')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Nothing but the count')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of the bare count')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;run' {
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Which shard, from 0')
            [CompletionResult]::new('--shard', '--shard', [CompletionResultType]::ParameterName, 'Which shard, from 0')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The folder of the results')
            [CompletionResult]::new('--out', '--out', [CompletionResultType]::ParameterName, 'The folder of the results')
            [CompletionResult]::new('--save-every', '--save-every', [CompletionResultType]::ParameterName, 'Time between two saves of the checkpoint: 50ms, 60s, 5m, 1h [default: 60s]')
            [CompletionResult]::new('--verify', '--verify', [CompletionResultType]::ParameterName, 'Verify a part of the prefixes, such as 1%: count them once more by another method')
            [CompletionResult]::new('--time-limit', '--time-limit', [CompletionResultType]::ParameterName, 'Stop after this time: save, and exit with code 8. The same command resumes')
            [CompletionResult]::new('--on-device-loss', '--on-device-loss', [CompletionResultType]::ParameterName, 'What to do when the last device was given up')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Where to count')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'CPU threads [default: all cores]')
            [CompletionResult]::new('--memory', '--memory', [CompletionResultType]::ParameterName, 'Memory that half-join may take, such as 512M or 16G [default: a quarter of what is free]')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'How progress is shown on stderr: auto, bar, lines or none')
            [CompletionResult]::new('-d', '-d', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('--device', '--device', [CompletionResultType]::ParameterName, 'The GPU to use, as `nqueens devices` lists them')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Colours: always, never or auto, which obeys NO_COLOR [default: auto]')
            [CompletionResult]::new('--checkpoint', '--checkpoint', [CompletionResultType]::ParameterName, 'Save progress beside the result, and resume from it if it is there')
            [CompletionResult]::new('--stats', '--stats', [CompletionResultType]::ParameterName, 'Also count how many queens are placed')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Nothing but the sum')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Nothing but the sum')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'One JSON object instead of the bare sum')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'nqueens;help' {
            [CompletionResult]::new('solve', 'solve', [CompletionResultType]::ParameterValue, 'Write the solutions themselves, in lexicographic order')
            [CompletionResult]::new('show', 'show', [CompletionResultType]::ParameterValue, 'Check a placement of queens and draw it')
            [CompletionResult]::new('classes', 'classes', [CompletionResultType]::ParameterValue, 'Count the solutions of each kind of symmetry')
            [CompletionResult]::new('estimate', 'estimate', [CompletionResultType]::ParameterValue, 'Estimate a count, and how long it would take')
            [CompletionResult]::new('plan', 'plan', [CompletionResultType]::ParameterValue, 'Cut a count into shards for many machines')
            [CompletionResult]::new('merge', 'merge', [CompletionResultType]::ParameterValue, 'Add the results of all shards up')
            [CompletionResult]::new('status', 'status', [CompletionResultType]::ParameterValue, 'Show which shards are done, running and missing')
            [CompletionResult]::new('devices', 'devices', [CompletionResultType]::ParameterValue, 'List the GPUs that can be used')
            [CompletionResult]::new('selftest', 'selftest', [CompletionResultType]::ParameterValue, 'Check that this machine counts rightly')
            [CompletionResult]::new('bench', 'bench', [CompletionResultType]::ParameterValue, 'Time the CPU against the GPU on the same boards')
            [CompletionResult]::new('ladder', 'ladder', [CompletionResultType]::ParameterValue, 'Time the textbook solvers beside the methods of this program')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Write the completions of the command line for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Write the man pages to a folder')
            [CompletionResult]::new('count', 'count', [CompletionResultType]::ParameterValue, 'Count the solutions for a board of n rows and columns')
            [CompletionResult]::new('run', 'run', [CompletionResultType]::ParameterValue, 'Count one shard of a plan')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'nqueens;help;solve' {
            break
        }
        'nqueens;help;show' {
            break
        }
        'nqueens;help;classes' {
            break
        }
        'nqueens;help;estimate' {
            break
        }
        'nqueens;help;plan' {
            break
        }
        'nqueens;help;merge' {
            break
        }
        'nqueens;help;status' {
            break
        }
        'nqueens;help;devices' {
            break
        }
        'nqueens;help;selftest' {
            break
        }
        'nqueens;help;bench' {
            break
        }
        'nqueens;help;ladder' {
            break
        }
        'nqueens;help;completions' {
            break
        }
        'nqueens;help;man' {
            break
        }
        'nqueens;help;count' {
            break
        }
        'nqueens;help;run' {
            break
        }
        'nqueens;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
