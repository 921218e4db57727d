import { formatTime } from '@svc/protocol'
import type { PreparedJson } from '@svc/protocol/http'
import type { Line } from './line.ts'

/** The longest value that is shown whole; `--json` has all of it. */
const maxValue = 200

/** A prepared action for people: what is signed, what it costs, which clock starts, and what it would do. */
export function previewOf(prepared: PreparedJson): Line[] {
  const { summary, from, chainId, market, block, clock, costs } = prepared
  return [
    { heading: summary },
    `  Wallet ${from}, ${market} market, chain ${Number(chainId)}, as of block ${block.number} (${formatTime(block.timestamp)})`,
    '',
    { heading: 'You sign' },
    ...prepared.decoded.flatMap(callLines),
    '',
    { heading: 'It costs' },
    ...(costs.length > 0 ? costs.map(({ what, amount }) => `  ${what}: ${amount}`) : ['  Nothing but gas.']),
    '',
    ...(clock ? [{ heading: 'It starts a clock' }, `  ${clock}`, ''] : []),
    { heading: 'Simulated' },
    ...simulationLines(prepared),
  ]
}

function callLines(
  { label, contract, to, function: name, args }: PreparedJson['decoded'][number],
  index: number,
): Line[] {
  const wide = Math.max(0, ...args.map((arg) => arg.name.length))
  return [
    `  ${index + 1}. ${label}`,
    `     ${contract}.${name} at ${to}`,
    ...args.map(
      ({ name, value, words }) => `       ${name.padEnd(wide)}  ${short(value)}${words ? ` (${words})` : ''}`,
    ),
  ]
}

function simulationLines({ simulation }: PreparedJson): Line[] {
  if (simulation.status === 'unknown')
    return ['  Not known: this RPC cannot simulate. The chain decides when you send it.']
  if (simulation.status === 'refused') {
    const { name, message, wayOut } = simulation.error
    return [`  Call ${simulation.call + 1} would be refused (${name}): ${message}`, `  ${wayOut}`]
  }
  return [
    ...simulation.changes.map(({ what, words }) => `  ${what}: ${words}`),
    ...(simulation.changes.length === 0 ? ['  Your balances stay as they are.'] : []),
    `  Gas: ${simulation.gas}`,
  ]
}

const short = (value: string) =>
  value.length > maxValue ? `${value.slice(0, maxValue)}… (${value.length} characters)` : value

/** The calls themselves, for any wallet tool. */
export const callsLines = ({ version, chainId, from, atomicRequired, calls }: PreparedJson): Line[] => [
  { heading: 'Calls (EIP-5792 wallet_sendCalls)' },
  `  ${JSON.stringify({ version, chainId, from, atomicRequired, calls })}`,
]
