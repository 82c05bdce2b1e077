"""`callboard completion`: the scripts for shells, and what completes a line in each of them.

A script hands over the line as far as it is typed. It gets a candidate a line, with what that is
about after a tab, or one line that says that the name of a file is due.
"""

import argparse
import sys
from collections.abc import Iterable

from tui.cli.completion.line import due_after, read_line
from tui.cli.completion.values import Candidate, candidates, names_files
from tui.errors import CallboardError
from tui.text.clean import line as in_a_line

_FILES = "\tfiles"
_BASH = """\
_callboard() {
    local reply line=$COMP_TYPE$'\\n'$2$'\\n'${COMP_LINE:0:COMP_POINT}
    COMPREPLY=()
    reply=$(callboard completion bash "$line" 2>/dev/null)
    if [[ $reply == $'\\tfiles' ]]; then
        compopt -o default 2>/dev/null
        return
    fi
    while IFS= read -r line; do
        [[ -n $line ]] && COMPREPLY+=("$line")
    done <<< "$reply"
}
complete -F _callboard callboard
"""
_ZSH = """\
_callboard() {
    local reply line about
    local -a values shown
    reply=$(callboard completion zsh "${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX" 2>/dev/null)
    if [[ $reply == $'\\tfiles' ]]; then
        _files
        return
    fi
    for line in "${(@f)reply}"; do
        [[ -n $line ]] || continue
        about=${line#*$'\\t'}
        values+=("${line%%$'\\t'*}")
        shown+=("${line%%$'\\t'*}${about:+  -- $about}")
    done
    (( $#values )) && compadd -U -V callboard -l -d shown -a values
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _callboard callboard
"""
_FISH = """\
function __callboard_complete
    set -l reply (callboard completion fish (commandline -cp | string collect) 2>/dev/null)
    if test "$reply" = \\tfiles
        __fish_complete_path (commandline -ct)
    else if set -q reply[1]
        printf '%s\\n' $reply
    end
end
complete -c callboard -f -k -a '(__callboard_complete)'
"""
_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}
_LISTED_BY = ("63", "33", "64")
"""The values of COMP_TYPE in bash with which candidates are listed rather than inserted."""
_LONGEST = 60
"""How much is shown of what a candidate is about."""
_PLAIN = frozenset("_./:=@%+,-")


def complete(program: argparse.ArgumentParser, shell: str, line: str) -> int:
    """Print what completes a line, without one the script for a shell.

    What is wrong with settings or a profile is said by the command itself.
    """
    if not line:
        sys.stdout.write(_SCRIPTS[shell])
        return 0
    key = replaced = ""
    if shell == "bash":
        # The script for bash sends the key and the word that bash replaces in lines of their own.
        key, replaced, line = ("", "", *line.split("\n", 2))[-3:]
    typed = read_line(line)
    due = due_after(program, typed.words[1:], typed.begun)
    if names_files(due):
        sys.stdout.write(f"{_FILES}\n")
        return 0
    try:
        # A line is a candidate and a tab ends its value, so that neither may be in a title.
        every = [
            Candidate(due.prefix + in_a_line(value), in_a_line(about)[:_LONGEST])
            for value, about in candidates(due)
        ]
    except CallboardError:
        return 0
    if shell == "bash":
        # bash also breaks words at signs such as = and :, and replaces the last piece only: what
        # stands before it must not be repeated.
        word = line[typed.start :].removesuffix(replaced)
        lines = _for_bash(every, read_line(word).begun, typed.quote, is_listed=key in _LISTED_BY)
    else:
        lines = (f"{value}\t{about}" for value, about in every)
    sys.stdout.write("".join(f"{text}\n" for text in lines))
    return 0


def _for_bash(
    every: Iterable[Candidate], kept: str, quote: str, *, is_listed: bool
) -> Iterable[str]:
    # What bash puts in place of the end of a word, of which it keeps the beginning. It inserts only
    # what all of a list have in common, so that what they are about may stand behind them there.
    ends = [
        (_quoted(candidate.value[len(kept) :], quote), candidate.about)
        for candidate in every
        if candidate.value[: len(kept)].casefold() == kept.casefold()
    ]
    if is_listed and len(ends) > 1:
        return [f"{end}  {about}".rstrip() for end, about in ends]
    return [end for end, _ in ends]


def _quoted(text: str, quote: str) -> str:
    if quote == "'":
        return text.replace("'", "'\\''")
    if quote == '"':
        escaped = "".join(f"\\{sign}" if sign in '"\\$`' else sign for sign in text)
        # History expansion works within double quotes, where a backslash before ! would stay.
        return escaped.replace("!", "\"'!'\"")
    return "".join(sign if sign.isalnum() or sign in _PLAIN else f"\\{sign}" for sign in text)
