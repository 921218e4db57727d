import { formatHolderLabel, type PreparedJson } from '@svc/operations'
import { formatTime } from '@svc/protocol'
import { formatQuotaUse } from '@svc/protocol/internal/money'
import type { Line } from './lines.ts'

/** The maximum length of a value in the preview. `--json` shows all of it. */
const maxValue = 200

/** Renders the preview of a prepared action: the calls, the costs, the deadline that starts, and the simulation. */
export function renderPreview(prepared: PreparedJson): Line[] {
  const { title, explain, from, chainId, market, block, deadline, costs, quota, warnings = [] } = prepared
  return [
    { heading: title },
    `  ${explain}`,
    `  Wallet ${from}, ${market} market, chain ${Number(chainId)}, as of block ${block.number} (${formatTime(block.timestamp)})`,
    '',
    { heading: 'You sign' },
    ...prepared.decoded.flatMap(renderCall),
    '',
    { heading: 'It costs' },
    ...(costs.length > 0 ? costs.map(({ what, amount }) => `  ${what}: ${amount}`) : ['  Network fee only.']),
    ...(quota ? [`  Posting quota: ${formatQuotaUse(quota)}`] : []),
    ...warnings.map((warning) => `  ${warning}`),
    '',
    ...(deadline ? [{ heading: 'It starts a deadline' }, `  ${deadline}`, ''] : []),
    { heading: 'Simulated' },
    ...renderSimulation(prepared),
  ]
}

function renderCall(
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

function renderSimulation({ simulation }: PreparedJson): Line[] {
  if (simulation.status === 'unknown')
    return ['  Unknown: this RPC provider cannot simulate. The result shows when you send it.']
  if (simulation.status === 'refused') {
    const { name, message, wayOut } = simulation.error
    return [`  Call ${simulation.call + 1} would revert (${name}): ${message}`, `  ${wayOut}`]
  }
  return [
    ...simulation.changes.map(({ what, words }) => `  ${what}: ${words}`),
    ...(simulation.changes.length === 0
      ? [simulation.others.length === 0 ? '  No money moves.' : '  Your balance stays the same.']
      : []),
    ...simulation.others.map((other) => `  ${formatHolderLabel(other)}: ${other.words}`),
    `  Gas: ${simulation.gas}`,
  ]
}

const short = (value: string) =>
  value.length > maxValue ? `${value.slice(0, maxValue)}… (${value.length} characters)` : value

/** Renders the calls as JSON for any wallet. */
export const renderCalls = ({ version, chainId, from, atomicRequired, calls }: PreparedJson): Line[] => [
  { heading: 'Calls (EIP-5792 wallet_sendCalls)' },
  `  ${JSON.stringify({ version, chainId, from, atomicRequired, calls })}`,
]
