import type { Command } from './command.ts'
import { flagsOf } from './field.ts'

/** Every option of a command as help lists them, with what each means. */
export function optionsOf({ fields, from, sends, waits }: Command): [flags: string, words: string][] {
  return [
    ...fields.flatMap(flagsOf),
    ...(from
      ? [['--from <address>', from === 'optional' ? 'your wallet (default: none)' : 'your wallet, which signs']]
      : []),
    ...(fields.length > 0
      ? [['--input <file.json>', 'the arguments as JSON, by their names on the wire; - reads stdin']]
      : []),
    ...(sends ? [['--dry-run', 'prepare and show it, and leave the gateway alone']] : []),
    ...(waits
      ? [
          ['--no-wait', 'do not wait until the request settles'],
          ['--timeout <seconds>', 'how long to wait (default: 1200)'],
        ]
      : []),
    ['--json', 'answer with one JSON document'],
  ] as [string, string][]
}
