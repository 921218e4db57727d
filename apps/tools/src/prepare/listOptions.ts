import type { Command } from './command.ts'
import { formatFlags } from './field.ts'

/** Where the contract addresses come from. */
const deploymentOptions = [
  ['--api <url>', 'the API of the market (default: SVC_API_URL)'],
  ['--repin', 'accept new contracts of the API'],
]

/** Lists all options of a command with their descriptions, as shown in the help. */
export function listOptions({
  fields,
  from,
  sends,
  paysFrom,
  waits,
  offline,
}: Command): [flags: string, description: string][] {
  return [
    ...fields.flatMap(formatFlags),
    ...(from
      ? [['--from <address>', from === 'optional' ? 'your wallet (default: none)' : 'the wallet that signs']]
      : []),
    ...(fields.length > 0
      ? [['--input <file.json>', 'the arguments as JSON, by their wire names; - reads stdin']]
      : []),
    ...(paysFrom
      ? [['--pay-from <asset>', 'tok or usdc: top up first and, with usdc, buy the TOK that is missing, in one batch']]
      : []),
    ...(sends ? [['--dry-run', 'prepare and show it, without creating a request']] : []),
    ...(waits
      ? [
          ['--no-wait', 'do not wait until the request is settled'],
          ['--timeout <seconds>', 'how long to wait (default: 1200)'],
        ]
      : []),
    ...(offline ? [] : deploymentOptions),
    ['--json', 'print one JSON document'],
  ] as [string, string][]
}
