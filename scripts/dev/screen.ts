import { join, relative } from 'node:path'
import { styleText } from 'node:util'
import { devnetChain, formatTable, type Person, publicKeys } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { z } from 'zod'
import { buildLocalUrl, type Places } from './parts.ts'

/** The accounts whose keys are shown, and their roles in the demo world. */
const shown: readonly [Person, string][] = [
  ['newcomer', 'newcomer (has money)'],
  ['ada', 'ada (posts)'],
  ['emeka', 'emeka (works)'],
]

/** The Node version that the install provides: the one on the path may be older. */
const node = 'node_modules/.bin/node'

/** Renders the start screen: where everything is, and what to try first. */
export async function describeStack({ dir, watch, ports, deploymentsFile }: Places, seconds: number): Promise<string> {
  const here = (path: string) => relative(process.cwd(), path) || '.'
  const [api, gateway] = [buildLocalUrl(ports.api), buildLocalUrl(ports.gateway)]
  const [rpc, index] = [buildLocalUrl(ports.rpc), buildLocalUrl(ports.index)]
  const counts = await Promise.all(markets.map(async (market) => `${await countOpen(api, market)} in ${market}`))
  const title = (text: string) => styleText('bold', text)
  return [
    '',
    formatTable([
      ['what', 'where', ''],
      ['web site', api, `open tasks: ${counts.join(', ')}`],
      ...(watch ? [['', buildLocalUrl(ports.site), 'from its sources; reloads when you save']] : []),
      ['API', `${api}/docs`, `${api}/metrics`],
      ['gateway', gateway, 'claims and approvals, straight from the chain'],
      ['store', `${buildLocalUrl(ports.store)}/v1/store`, 'delivered work, encrypted'],
      ['notifier', `${buildLocalUrl(ports.notifier)}/notify/v1/notifier`, 'inbox, webhooks, e-mail, push'],
      ['index', `${index}/readyz`, `${index}/metrics`],
      ['chain', rpc, `chain id ${devnetChain.id}; addresses in ${here(deploymentsFile)}`],
      ['logs', here(join(dir, 'log')), 'one file for each part'],
    ]),
    '',
    title('For a wallet: use this RPC and chain id. These keys are public: never use them for real money'),
    formatTable([['who', 'private key'], ...shown.map(([name, who]) => [who, publicKeys[name]])]),
    '',
    title('Try first'),
    ...lines([
      ['look', `open ${api}`],
      ['work', `claim a task there, or at ${gateway}/market.html (docs/quickstart-worker.md)`],
      ['post', `${api}/post (docs/quickstart-poster.md)`],
      ['let an agent work', `${node} examples/agent.ts --hurry`],
      ['verify an answer', `${node} apps/tools/src/svc-verify.ts v2:standard:1`],
    ]),
    'For the last one, and all other commands, set these variables first:',
    `  export CHAIN_RPC_URL=${rpc} SVC_DEPLOYMENTS=${here(deploymentsFile)} \\`,
    `    SVC_API_URL=${api} SVC_GATEWAY_URL=${gateway}`,
    '',
    `${styleText('green', `Ready in ${seconds.toFixed(1)} s.`)} Ctrl-C stops everything; the next pnpm dev continues from there, pnpm dev --fresh starts over.`,
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
