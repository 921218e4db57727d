import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Deployments, saveDeployments } from '@svc/chain'
import { formatAmount } from '@svc/protocol'
import type { Field } from '../../apps/tools/src/prepare/field.ts'
import { runPrepare } from '../../apps/tools/src/prepare/runPrepare.ts'

/** What a run of the command left behind. */
interface Run {
  exit: number
  out: string
  err: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows which document it asked for.
  json: any
}

/** What is around a run; `onError` hears what it writes to the standard error. */
interface Around {
  stdin?: string
  env?: Record<string, string>
  tty?: boolean
  onError?: (text: string) => void
}

/** The command in this process, with streams that are kept. */
export interface Preparing {
  folder: string
  environment: Record<string, string>
  run: (argv: readonly string[], more?: Around) => Promise<Run>
  /** Writes a file and returns its path. */
  file: (text: string) => Promise<string>
  stop: () => Promise<void>
}

/** Creates a runner of svc-prepare with a chain, a gateway and a temporary folder. */
export async function createPrepareRunner(world: {
  rpcUrl: string
  deployments: Deployments | null
  gatewayUrl: string
}): Promise<Preparing> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-prepare-'))
  const deployments = join(folder, 'deployments.json')
  if (world.deployments) await saveDeployments(deployments, world.deployments)
  const environment = {
    CHAIN_RPC_URL: world.rpcUrl,
    SVC_DEPLOYMENTS: deployments,
    SVC_GATEWAY_URL: world.gatewayUrl,
    PRIVATE_KEY: canary,
  }
  let files = 0
  return {
    folder,
    environment,
    async run(argv, { stdin = '', env = {}, tty = false, onError } = {}) {
      const written = { out: '', err: '' }
      const output = (name: keyof typeof written) => ({
        isTTY: tty,
        write: (text: string) => {
          written[name] += text
          if (name === 'err') onError?.(text)
        },
      })
      const exit = await runPrepare(argv, {
        environment: { ...environment, ...env },
        input: Readable.from([Buffer.from(stdin)]),
        output: output('out'),
        errors: output('err'),
        now: Date.now,
      })
      expectNoCanary(written.out + written.err)
      return { exit, ...written, json: argv.includes('--json') ? JSON.parse(written.out) : null }
    },
    async file(text) {
      const path = join(folder, `file-${files++}`)
      await writeFile(path, text)
      return path
    },
    stop: () => rm(folder, { recursive: true }),
  }
}

/** A key that must never be seen anywhere. */
const canary = `0x${'c0ffee'.repeat(10)}c0fe`

/** Fails where the key shows, in whole or in a telling part. */
export function expectNoCanary(text: string): void {
  if (text.toLowerCase().includes('c0ffeec0ffee')) throw new Error('The key was shown.')
}

/** An input as arguments: people's amounts in turn with smallest units, structures and texts as files. */
export async function buildArgv(
  fields: readonly Field[],
  input: Readonly<Record<string, unknown>>,
  file: (text: string) => Promise<string>,
  units = false,
): Promise<string[]> {
  const argv: string[] = []
  for (const { name, form, flag, unitFlag } of fields) {
    const value = input[name]
    if (value === undefined) continue
    if (form.kind === 'amount') {
      const token = form.token === 'either' ? (input.payWith as 'tok' | 'usdc') : form.token
      // Huge amounts are not written with a symbol.
      if (units || BigInt(value as string) >= 10n ** 26n) argv.push(`--${unitFlag}`, String(value))
      else argv.push(`--${flag}`, formatAmount(BigInt(value as string), token).replaceAll(/[, ]/g, ''))
    } else if (form.kind === 'json') argv.push(`--${flag}`, await file(JSON.stringify(value)))
    else if (form.kind === 'prose') argv.push(`--${flag}`, await file(String(value)))
    else argv.push(`--${flag}`, String(value))
  }
  return argv
}
