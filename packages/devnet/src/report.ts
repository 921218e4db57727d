import { styleText } from 'node:util'
import type { LocalDeployments } from '@svc/chain'
import { formatTaskId, markets, taskPhases } from '@svc/protocol'
import { tokTokenAbi } from '@svc/protocol/abis'
import { formatUnits } from 'viem'
import { accounts, mnemonic, type Person, people } from './accounts.ts'
import type { DevnetClient } from './client.ts'
import { mockFeed } from './mocks.ts'
import { countTasks, createScene, readStatuses, type Status } from './scene.ts'

/** Formats rows as aligned columns. The first row is the header. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line, index) => `  ${index === 0 ? styleText('dim', line) : line}`).join('\n')
}

/** Describes a running devnet: its URL, accounts, contracts and tasks. */
export async function describeDevnet(
  client: DevnetClient,
  deployments: LocalDeployments,
  file: string,
): Promise<string> {
  const title = (text: string) => `\n${styleText('bold', text)}`
  return [
    title('Chain'),
    formatTable([
      ['what', 'value'],
      ['RPC', deployments.rpcUrl],
      ['WebSocket', deployments.rpcUrl.replace('http', 'ws')],
      ['chain id', String(deployments.chainId)],
      ['deployments', file],
      ['mnemonic', mnemonic],
    ]),
    title('Accounts'),
    formatTable([['#', 'name', 'role', 'address', 'TOK', 'USDC'], ...(await accountRows(client, deployments))]),
    title('Contracts'),
    formatTable([['name', 'address'], ...Object.entries({ ...deployments.shared, priceFeed: mockFeed })]),
    '',
    formatTable([['name', ...markets], ...contractRows(deployments)]),
    ...(await taskSection(client, deployments)).map((text, index) => (index === 0 ? title(text) : text)),
  ].join('\n')
}

async function accountRows(client: DevnetClient, { shared }: LocalDeployments): Promise<string[][]> {
  const names = Object.keys(people) as Person[]
  const balances = await client.multicall({
    allowFailure: false,
    contracts: names.flatMap((name) =>
      [shared.tokToken, shared.usdc].map(
        (address) =>
          ({ address, abi: tokTokenAbi, functionName: 'balanceOf', args: [accounts[name].address] }) as const,
      ),
    ),
  })
  return names.map((name, index) => [
    String(index),
    name,
    people[name],
    accounts[name].address,
    whole(balances[2 * index] ?? 0n, 18),
    whole(balances[2 * index + 1] ?? 0n, 6),
  ])
}

function contractRows({ markets: byMarket }: LocalDeployments): string[][] {
  const names = Object.keys(byMarket.standard) as (keyof typeof byMarket.standard)[]
  return names.map((name) => [name, ...markets.map((market) => byMarket[market][name])])
}

/** More than the demo world has. Seeded tasks come after them and are only counted. */
const worldSize = 100

/** Lists the tasks by phase. */
async function taskSection(client: DevnetClient, deployments: LocalDeployments): Promise<string[]> {
  const scenes = markets.map((market) => createScene(client, deployments, market))
  const counts = await Promise.all(scenes.map(countTasks))
  if (counts.every((count) => count === 0)) return []
  const found = await Promise.all(
    scenes.map((scene, index) => {
      const listed = Math.min(counts[index] ?? 0, worldSize)
      return readStatuses(
        scene,
        Array.from({ length: listed }, (_, at) => BigInt(at + 1)),
      )
    }),
  )
  const rows = taskPhases.map((phase) => [
    phase,
    ...found.map((statuses) => ids(statuses.filter((status) => status.phase === phase))),
  ])
  const example = formatTaskId({ market: 'standard', number: 1n })
  return [
    `Tasks (full id of the first: ${example})`,
    formatTable([['phase', ...markets], ...rows, ['all', ...counts.map((count) => count.toLocaleString('en'))]]),
  ]
}

function ids(statuses: readonly Status[]): string {
  const shown = statuses.slice(0, 12).map(({ taskId }) => String(taskId))
  return statuses.length > shown.length ? `${shown.join(' ')} …` : shown.join(' ')
}

/** Formats whole units with thousands separators. */
function whole(amount: bigint, decimals: number): string {
  return Math.floor(Number(formatUnits(amount, decimals))).toLocaleString('en')
}

/** Formats an amount with its symbol and two decimals: `1,234.50 TOK`. */
export function formatTokenAmount(amount: bigint, symbol: 'TOK' | 'USDC'): string {
  const units = Number(formatUnits(amount, symbol === 'TOK' ? 18 : 6))
  return `${units.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${symbol}`
}
