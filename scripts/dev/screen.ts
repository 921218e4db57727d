import { join, relative } from 'node:path'
import { styleText } from 'node:util'
import { devnetChain, type Person, publicKeys, table } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { z } from 'zod'
import { type Places, urlOf } from './parts.ts'

/** Whose keys are shown, and what they do in the demo world. */
const shown: readonly [Person, string][] = [
  ['newcomer', 'newcomer (has money)'],
  ['ada', 'ada (posts)'],
  ['emeka', 'emeka (works)'],
]

/** Node as the install brings it: the one on the path may be older. */
const node = 'node_modules/.bin/node'

/** One screen: where everything is, and what to try first. */
export async function describeStack({ dir, ports, deploymentsFile }: Places, seconds: number): Promise<string> {
  const here = (path: string) => relative(process.cwd(), path) || '.'
  const [api, gateway] = [urlOf(ports.api), urlOf(ports.gateway)]
  const [rpc, index] = [urlOf(ports.rpc), urlOf(ports.index)]
  const counts = await Promise.all(markets.map(async (market) => `${await countOpen(api, market)} in ${market}`))
  const title = (text: string) => styleText('bold', text)
  return [
    '',
    table([
      ['what', 'where', ''],
      ['web site', api, `open tasks: ${counts.join(', ')}`],
      ['API', `${api}/docs`, `${api}/metrics`],
      ['gateway', gateway, 'claims and approvals, straight from the chain'],
      ['index', `${index}/readyz`, `${index}/metrics`],
      ['chain', rpc, `chain id ${devnetChain.id}; addresses in ${here(deploymentsFile)}`],
      ['logs', here(join(dir, 'log')), 'one file for each part'],
    ]),
    '',
    title('For a wallet: this RPC and chain id, and a key that everybody knows, so never for real money'),
    table([['who', 'private key'], ...shown.map(([name, who]) => [who, publicKeys[name]])]),
    '',
    title('Try first'),
    ...lines([
      ['look', `open ${api}`],
      ['work', `claim a task there, or at ${gateway}/market.html (docs/quickstart-worker.md)`],
      ['post', `${api}/post (docs/quickstart-poster.md)`],
      ['let an agent work', `${node} examples/agent.ts --hurry`],
      ['verify an answer', `${node} apps/tools/src/svc-verify.ts v2:standard:1`],
    ]),
    'The last one, and all other commands, know where everything is after this line:',
    `  export CHAIN_RPC_URL=${rpc} SVC_DEPLOYMENTS=${here(deploymentsFile)} \\`,
    `    SVC_API_URL=${api} SVC_GATEWAY_URL=${gateway}`,
    '',
    `${styleText('green', `Ready in ${seconds.toFixed(1)} s.`)} Ctrl-C stops everything; the next pnpm dev goes on from there, pnpm dev --fresh starts anew.`,
  ].join('\n')
}

function lines(rows: readonly (readonly [label: string, text: string])[]): string[] {
  return rows.map(([label, text]) => `  ${label.padEnd(18)}  ${text}`)
}

async function countOpen(api: string, market: string): Promise<string> {
  const response = await fetch(`${api}/api/market/open?market=${market}`, { signal: AbortSignal.timeout(10_000) })
  const { tasks, meta } = openTasks.parse(await response.json())
  return `${tasks.length}${meta.nextCursor ? '+' : ''}`
}

const openTasks = z.object({ tasks: z.array(z.unknown()), meta: z.object({ nextCursor: z.string().nullish() }) })
