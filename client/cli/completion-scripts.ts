// Completion for bash, zsh and fish. In each the words of the command so far are found by walking the
// line, and what may come next is offered; where nothing is known, files are.

import type { Command } from 'commander';
import { optionsWithValues, steps, type Words, wordsOf } from '#client/cli/completion-words.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function completionScript(program: Command, shell: Shell): string {
  const words = wordsOf(program);
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return zshScript(words);
    case 'fish':
      return fishScript(words);
  }
}

function bashScript(words: readonly Words[]): string {
  const values = valueCases(words, (choices) =>
    choices.length > 0
      ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`
      : 'COMPREPLY=($(compgen -f -- "$current"))',
  );
  const offers = words.map(({ place, next, options }) => {
    const names = [...next, ...options].map(({ name }) => name).join(' ');
    return `    '${place}') offers='${names}' ;;`;
  });
  return `# bash completion for export-once: source <(export-once completion bash)
_export_once() {
  local word place='' offers=''
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  case "$previous" in
${values}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place $word" in
${placeCases(words)}
    esac
  done
  case "$place" in
${offers.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$offers" -- "$current"))
  [[ \${#COMPREPLY[@]} -gt 0 || "$current" == -* ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _export_once export-once
`;
}

function zshScript(words: readonly Words[]): string {
  const values = valueCases(words, (choices) =>
    choices.length > 0 ? `compadd -- ${choices.join(' ')}` : '_files',
  );
  const offers = words.map(({ place, next, options }) => {
    const described = [...next, ...options].map(({ name, description }) =>
      quoted(`${name}:${description.replaceAll(':', '\\:')}`, "'\\''"),
    );
    return `    '${place}') offers=(${described.join(' ')}) ;;`;
  });
  // `path` and `words` are zsh's own.
  return `#compdef export-once
# zsh completion for export-once: source <(export-once completion zsh)
_export_once() {
  local word place=''
  local -a offers
  case "\${words[CURRENT-1]}" in
${values}
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
${placeCases(words)}
    esac
  done
  case "$place" in
${offers.join('\n')}
  esac
  _describe 'export-once' offers || _files
}
compdef _export_once export-once
`;
}

function fishScript(words: readonly Words[]): string {
  const walk = steps(words).map(
    ({ from, word, to }) => `      case '${from} ${word}'\n        set place '${to}'`,
  );
  const lines = words.flatMap(({ place, next, options }) => {
    const at = `complete -c export-once -n "__export_once_at '${place}'"`;
    return [
      ...next.map(
        ({ name, description }) => `${at} -f -a ${name} -d ${quoted(description, "\\'")}`,
      ),
      ...options.map(({ name, short, description, takesValue, values }) => {
        const shortened = short ? ` -s ${short.slice(1)}` : '';
        const file = takesValue ? ' -r' : '';
        const value = values.length > 0 ? ` -x -a '${values.join(' ')}'` : file;
        return `${at} -l ${name.slice(2)}${shortened}${value} -d ${quoted(description, "\\'")}`;
      }),
    ];
  });
  return `# fish completion for export-once: export-once completion fish | source
function __export_once_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place $word"
${walk.join('\n')}
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** Behind an option that takes a value: its values, and nothing else. */
function valueCases(
  words: readonly Words[],
  offer: (choices: readonly string[]) => string,
): string {
  return optionsWithValues(words)
    .map(({ name, short, values }) => {
      const names = short ? `${short}|${name}` : name;
      return `    ${names}) ${offer(values)}; return ;;`;
    })
    .join('\n');
}

function placeCases(words: readonly Words[]): string {
  return steps(words)
    .map(({ from, word, to }) => `      '${from} ${word}') place='${to}' ;;`)
    .join('\n');
}

function quoted(text: string, quote: string): string {
  return `'${text.replaceAll("'", quote)}'`;
}
