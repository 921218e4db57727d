import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readStatuses } from '@svc/devnet'
import { parseTaskId } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { expect } from 'vitest'
import { compileCache } from '../harness/env.ts'
import { createParty, type Stage } from './stage.ts'
import type { Wallet } from './wallet.ts'

/**
 * Two agents in separate processes go from a proposal to a paid task. Then the chain, both transcripts and `svc-verify` must agree,
 * and neither key may be in any output or file.
 */
export async function negotiate(stage: Stage, transport: 'file' | 'xmtp'): Promise<void> {
  const [poster, worker] = [await createParty(stage), await createParty(stage)]
  // A wallet must be registered with XMTP before it can receive messages.
  if (transport === 'xmtp') {
    const env = buildEnvironment(worker, joinFolder(stage, 'worker', transport))
    await promisify(execFile)(process.execPath, [negotiator, 'join', '--transport', 'xmtp'], { env })
  }
  const [his, hers] = await Promise.all([
    agent(stage, 'poster', transport, poster, worker),
    agent(stage, 'worker', transport, worker, poster),
  ])
  const { taskId, settlementDigest, id } = his.result
  expect(hers.result).toMatchObject({ id, taskId, settlementDigest })
  expect(his.result.phase).toBe('DONE')

  const { number } = parseTaskId(taskId)
  const [status] = await readStatuses(stage.scene, [number])
  expect(status?.state).toBe('COMPLETED')
  const registry = { address: stage.scene.contracts.taskRegistry, abi: taskRegistryAbi } as const
  const onChain = await stage.devnet.client.readContract({
    ...registry,
    functionName: 'settlementDigestOf',
    args: [number],
  })
  expect(settlementDigest).toBe(onChain)

  // Both have the same transcript, and each one proves what is on chain.
  const agreements = await Promise.all([his, hers].map(({ result }) => readFile(result.agreement, 'utf8')))
  expect(agreements[0]).toBe(agreements[1])
  expect(JSON.parse(agreements[0] ?? '').messages).toHaveLength(8)
  const { stdout } = await promisify(execFile)(process.execPath, [verifier, his.result.agreement, '--digest', onChain])
  expect(stdout).toMatch(/Both parties agreed. The poster accepted all the work.[\s\S]*It matches the digest you gave/)

  // Neither key is in any output or file.
  const written = await everything(stage.folder)
  for (const { key } of [poster, worker]) {
    const digits = key.slice(2)
    for (const [where, text] of [['outputs', his.printed + hers.printed], ...written] as const) {
      expect(text.toLowerCase().includes(digits), where).toBe(false)
      expect(text.includes(Buffer.from(digits, 'hex').toString('base64')), where).toBe(false)
    }
  }
}

/** Starts one party as a separate process, with its own folder and only its own key. */
async function agent(stage: Stage, role: 'poster' | 'worker', transport: string, me: Wallet, other: Wallet) {
  const folder = joinFolder(stage, role, transport)
  await mkdir(folder, { recursive: true })
  const argv = [
    agentFile,
    role,
    folder,
    stage.deployments,
    join(stage.folder, `${transport}-mail`),
    transport,
    other.address,
  ]
  const child = spawn(process.execPath, argv, { env: buildEnvironment(me, folder), stdio: ['ignore', 'pipe', 'pipe'] })
  // XMTP's database warns on standard error at any moment, so the result is the last line of standard output alone.
  const [printed, warned] = [collect(child.stdout), collect(child.stderr)]
  const [code] = await once(child, 'close')
  expect(code, printed() + warned()).toBe(0)
  return { printed: printed() + warned(), result: JSON.parse(printed().trim().split('\n').at(-1) ?? '') }
}

function collect(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

const joinFolder = (stage: Stage, role: string, transport: string) => join(stage.folder, `${transport}-${role}`)

/** The environment of a party's process, without anything of this process. */
const buildEnvironment = ({ key }: Wallet, folder: string) => ({
  ...compileCache.env(),
  PRIVATE_KEY: key,
  XMTP_ENV: 'local',
  XMTP_DB_PATH: join(folder, 'xmtp', 'inbox.db3'),
})

/** Reads all files below a folder as text. */
async function everything(folder: string): Promise<[path: string, text: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Promise.all(files.map(async (path): Promise<[string, string]> => [path, await readFile(path, 'latin1')]))
}

const agentFile = fileURLToPath(new URL('agent.ts', import.meta.url))
const negotiator = fileURLToPath(new URL('../../apps/tools/src/svc-negotiate.ts', import.meta.url))
const verifier = fileURLToPath(new URL('../../apps/tools/src/svc-verify.ts', import.meta.url))
