import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createJournalFile, createSigner, parseGrant } from '@svc/agent'
import { loadDeployments } from '@svc/chain'
import { createDevnetClient, deployDelegationFramework, sendTokens } from '@svc/devnet'
import { type Hex, isHex, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { runAgent } from '../../apps/tools/src/agent/runAgent.ts'
import type { DevStack } from '../harness/devStack.ts'
import { compileCache } from '../harness/env.ts'
import { findProgram } from '../harness/programs.ts'

/** Gives a new account on a stack a grant with `svc-agent grant`, which must print this worst case first. */
export async function createGrantedAgent(
  { apiUrl, gatewayUrl, rpcUrl, deploymentsFile }: DevStack,
  parent: string,
  { tokWei, usdcUnits, limits, worst }: { tokWei: bigint; usdcUnits: bigint; limits: string; worst: string },
) {
  const chain = createDevnetClient(rpcUrl)
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  await chain.setBalance({ address: owner.address, value: parseEther('1') })
  const deployments = await loadDeployments(deploymentsFile)
  await sendTokens(chain, deployments, owner.address, { tok: tokWei, usdc: usdcUnits })
  const folder = await mkdtemp(join(parent, 'agent-'))
  const framework = join(parent, 'framework.json')
  await writeFile(framework, JSON.stringify(await deployDelegationFramework(chain)))

  /** Runs svc-agent as the owner, and returns what it prints. */
  const svcAgent = async (line: string): Promise<string> => {
    const [output, errors] = [new PassThrough(), new PassThrough()]
    const args = [...line.split(' '), '--folder', folder, '--api', apiUrl, '--framework', framework]
    const environment = { HOME: parent, CHAIN_RPC_URL: rpcUrl, SVC_GATEWAY_URL: gatewayUrl, PRIVATE_KEY: key }
    const io = { environment, input: new PassThrough(), output, errors, now: () => 0 }
    const ended = runAgent(args, io).finally(() => [output, errors].map((each) => each.end()))
    const [code, ...printed] = await Promise.all([ended, text(output), text(errors)])
    return `${code} ${printed.join('')}`
  }
  const until = new Date((Number((await chain.getBlock()).timestamp) + 3 * 86_400) * 1_000).toISOString()
  const granted = await svcAgent(`grant --market micro ${limits} --until ${until} --yes`)
  expect(granted).toContain(`0 Worst case: ${worst}`)
  const grant = parseGrant(JSON.parse(await readFile(join(folder, 'grant.json'), 'utf8')))
  const journal = createJournalFile(join(folder, 'signer.jsonl'))
  const session = privateKeyToAccount(toKey(await readFile(join(folder, 'session.key'), 'utf8')))
  /** Runs `svc-agent signer` as its own process, which has no key of the owner. */
  const startSigner = async () => {
    const program = findProgram('apps/tools/src/svc-agent.ts')
    const env = { ...compileCache.env(), HOME: parent, CHAIN_RPC_URL: rpcUrl, SVC_GATEWAY_URL: gatewayUrl }
    const child = spawn(process.execPath, [program, 'signer', '--folder', folder, '--api', apiUrl], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'close')
    const [printed] = await Promise.race([once(child.stdout, 'data'), ended])
    expect(String(printed)).toContain('listening on')
    return async () => {
      child.kill('SIGTERM')
      await ended
    }
  }
  return {
    chain,
    grant,
    owner,
    folder,
    svcAgent,
    startSigner,
    signer: createSigner({ grant, session, chain, journal, gatewayUrl }),
  }
}

function toKey(read: string): Hex {
  const key = read.trim()
  if (!isHex(key)) throw new Error('There is no session key.')
  return key
}

export const tok = (amount: number) => parseUnits(String(amount), 18)
export const usdc = (amount: number) => parseUnits(String(amount), 6)

/** Puts a file where a party may send it for a task. */
export async function writeOutbox(workFolder: string, id: string, name: string, content: string): Promise<void> {
  const outbox = join(workFolder, id.replaceAll(':', '-'), 'outbox')
  await mkdir(outbox, { recursive: true })
  await writeFile(join(outbox, name), content)
}
