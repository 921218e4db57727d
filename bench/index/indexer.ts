import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { saveDeployments } from '@svc/chain'
import type { BenchChain } from './chain.ts'

/** The indexer as a process, started as in production. */
export interface BenchIndexer {
  pid: number
  /** Log lines above level info. */
  warnings: readonly string[]
  /** Its exit code. */
  ended: Promise<number | null>
  stop: () => Promise<void>
}

export interface IndexerOptions {
  chain: Pick<BenchChain, 'urls' | 'deployments'>
  /** How many of the chain's providers it uses. */
  providers: number
  database: string
  /** Variables besides those that it needs. */
  env?: Readonly<Record<string, string>>
  /** Arguments of the program. */
  args?: readonly string[]
  /** Folder for a CPU profile. */
  profile?: string | undefined
}

/** As in deployments, a start does not compile what an earlier start has compiled. The bare pipeline has the same. */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'bench-compiled') }

const main = fileURLToPath(new URL('../../apps/indexer/src/main.ts', import.meta.url))
const maxWarnings = 20

/** Starts the indexer on a chain and an empty database. */
export async function startBenchIndexer({
  chain,
  providers,
  database,
  env = {},
  args = [],
  profile,
}: IndexerOptions): Promise<BenchIndexer> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const file = join(folder, 'deployments.json')
  await saveDeployments(file, chain.deployments)
  const flags = profile ? ['--cpu-prof', '--cpu-prof-dir', profile] : []
  const child = spawn(process.execPath, [...flags, main, ...args], {
    env: {
      ...compileCache,
      CHAIN_RPC_URL: chain.urls.slice(0, providers).join(','),
      SVC_DATABASE_URL: database,
      SVC_DEPLOYMENTS: file,
      SVC_INDEX_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const warnings: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) {
      if (/"level":[456]0/.test(line) && warnings.length < maxWarnings) warnings.push(line)
    }
  })
  if (child.pid === undefined) throw new Error('The indexer did not start.')
  return {
    pid: child.pid,
    warnings,
    ended: exited.then(([code]) => code as number | null),
    stop: async () => {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await exited
      clearTimeout(force)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
