import * as z from 'zod/mini'
import type { Command } from './command.ts'
import { listOptions } from './listOptions.ts'

const shells = ['bash', 'zsh', 'fish'] as const

type Shell = (typeof shells)[number]

/** Builds a completion script. Names and flags contain only plain characters and need no quoting. */
function buildCompletion(shell: Shell, commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](commands)
}

const flags = (command: Command) => listOptions(command).map(([flag]) => flag.split(' ', 1)[0] ?? '')
const wordsAfter = (command: Command) => [
  ...(command.operands ?? []).flatMap(({ choices = [] }) => choices),
  ...flags(command),
]
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function bash(commands: readonly Command[]): string {
  return [
    '# eval "$(svc-prepare completion bash)"',
    '_svc_prepare() {',
    '  local word=$' + '{COMP_WORDS[COMP_CWORD]} words',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    words="${commands.map(({ name }) => name).join(' ')}"`,
    '  else',
    '    case $' + '{COMP_WORDS[1]} in',
    ...commands.map((command) => `      ${command.name}) words="${wordsAfter(command).join(' ')}" ;;`),
    '    esac',
    '  fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _svc_prepare svc-prepare',
  ].join('\n')
}

function zsh(commands: readonly Command[]): string {
  return [
    '# eval "$(svc-prepare completion zsh)"',
    '_svc_prepare() {',
    '  if (( CURRENT == 2 )); then',
    '    local -a names=(',
    ...commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`),
    '    )',
    "    _describe 'action' names",
    '  else',
    '    case $words[2] in',
    ...commands.map((command) => `      ${command.name}) compadd -- ${wordsAfter(command).join(' ')} ;;`),
    '    esac',
    '    _files',
    '  fi',
    '}',
    'compdef _svc_prepare svc-prepare',
  ].join('\n')
}

function fish(commands: readonly Command[]): string {
  return [
    '# svc-prepare completion fish | source',
    ...commands.flatMap((command) => [
      `complete -c svc-prepare -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.summary)}`,
      ...listOptions(command).map(([flag, description]) => {
        const [name = ''] = flag.split(' ', 1)
        const value = flag.includes('<') ? ' -r' : ''
        return `complete -c svc-prepare -n '__fish_seen_subcommand_from ${command.name}' -l ${name.slice(2)}${value} -d ${quoted(description)}`
      }),
    ]),
  ].join('\n')
}

/** Creates the command that prints a shell completion script. The script completes commands, options and choices. */
export const createCompletionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print a completion script for your shell.',
  operands: [{ name: 'shell', description: 'your shell', choices: shells }],
  fields: [],
  offline: true,
  answer: z.object({ shell: z.enum(shells), script: z.string() }),
  async run({ operands }) {
    const shell = operands[0] as Shell
    const script = buildCompletion(shell, commands())
    return { json: { shell, script }, lines: script.split('\n') }
  },
})
