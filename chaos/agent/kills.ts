import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeGrant, planGrant, signGrant, signInAgent } from '@svc/agent'
import { loadDeployments } from '@svc/chain'
import {
  accounts,
  createDevnetClient,
  createScene,
  deployDelegationFramework,
  type Job,
  readStatuses,
  sendActivation,
  sendPost,
  sendRelease,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { createRandom } from '@svc/simulation/random'
import { parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { DevStack } from '../../test/harness/devStack.ts'
import { compileCache } from '../../test/harness/env.ts'

const market = 'micro'
const program = fileURLToPath(new URL('program.ts', import.meta.url))
/** More than either process does in one task, so that some runs end by themselves. */
const points = { agent: 60, signer: 40 }

/** Kills the agent and its signer until there were so many kills. Every task that was begun is brought to its end. */
export async function runAgentKills(
  { apiUrl, rpcUrl, deploymentsFile }: DevStack,
  { kills, seed }: { kills: number; seed: number },
) {
  const random = createRandom(seed)
  const chain = createDevnetClient(rpcUrl)
  const deployments = await loadDeployments(deploymentsFile)
  const scene = createScene(chain, deployments, market)
  const environment = await deployDelegationFramework(chain)
  const [owner, key] = [privateKeyToAccount(generatePrivateKey()), generatePrivateKey()]
  const session = privateKeyToAccount(key)
  const folder = await mkdtemp(join(tmpdir(), 'agent-kills-'))
  await chain.setBalance({ address: owner.address, value: parseEther('10') })
  await sendTokens(chain, deployments, owner.address, { tok: parseUnits('1000000', 18), usdc: parseUnits('100', 6) })
  await sendTopUp(scene, accounts.bruno, parseUnits('400', 6))
  const { timestamp } = await chain.getBlock()
  const plan = await planGrant(chain, environment, owner.address, {
    apiUrl,
    market,
    contracts: { ...deployments.shared, ...deployments.markets[market] },
    session: session.address,
    uses: ['earn'],
    claims: 2 * kills + 10,
    hires: 0,
    budgetTokWei: 0n,
    depositUsdc: parseUnits('51', 6),
    until: Number(timestamp) + 30 * 86_400,
    gasWei: parseEther('1'),
  })
  const grant = await signGrant(chain, environment, owner, plan)
  await signInAgent(grant, { folder, owner, chain })
  await writeFile(join(folder, 'grant.json'), JSON.stringify(encodeGrant(grant)), { mode: 0o600 })
  await writeFile(join(folder, 'session.key'), key, { mode: 0o600 })

  const run = { killed: 0, restarts: 0, emptyDisks: 0, tasks: 0 }
  const start = (role: 'agent' | 'signer', killAt: number) => {
    const child = spawn(process.execPath, [program, role, folder, rpcUrl, String(killAt)], {
      env: { ...compileCache.env(), PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const ended = once(child, 'close').then(() => (child.signalCode === 'SIGKILL' ? 'killed' : child.exitCode))
    return { stop: () => child.kill('SIGTERM'), ended }
  }
  const chooseKill = (role: keyof typeof points, isTurn: boolean) =>
    isTurn && run.killed < kills ? 1 + random.below(points[role]) : 0

  /** Runs both until the agent says that its task has ended. */
  const finishTask = async (job: Job) => {
    let signer = start('signer', chooseKill('signer', random.chance(0.5)))
    let agent = start('agent', chooseKill('agent', true))
    for (;;) {
      const [who, how] = await Promise.race([
        signer.ended.then((end) => ['signer', end] as const),
        agent.ended.then((end) => ['agent', end] as const),
      ])
      if (who === 'agent' && how === 0) {
        const [status] = await readStatuses(scene, [job.id])
        if (status?.state === 'COMPLETED') break
        // The index did not list the task in time.
        agent = start('agent', 0)
        continue
      }
      if (how !== 'killed') throw new Error(`The ${who} ended with ${how}.`)
      run.killed += 1
      run.restarts += 1
      if (random.chance(0.3)) {
        // What could not be computed again would be missing now: only the grant and the keys stay.
        await Promise.all(
          ['work', 'sealed', 'mail', 'signer.jsonl'].map((each) =>
            rm(join(folder, each), { recursive: true, force: true }),
          ),
        )
        run.emptyDisks += 1
      }
      if (who === 'signer') signer = start('signer', chooseKill('signer', random.chance(0.5)))
      else agent = start('agent', chooseKill('agent', random.chance(0.7)))
    }
    signer.stop()
    await signer.ended
  }

  const faults: string[] = []
  try {
    while (run.killed < kills) {
      const job: Job = await sendPost(scene, {
        poster: accounts.bruno,
        text: `Chaos of the quay ${run.tasks}`,
        amounts: [parseUnits('20000', 18)],
        duration: 7_200,
      })
      run.tasks += 1
      const accepting = acceptWork(job)
      await finishTask(job)
      await accepting
      const count = async (eventName: 'TaskClaimed' | 'MilestoneDelivered') =>
        (
          await chain.getContractEvents({
            address: scene.contracts.taskRegistry,
            abi: taskRegistryAbi,
            eventName,
            args: { taskId: job.id },
            fromBlock: 0n,
          })
        ).length
      const seen = [await count('TaskClaimed'), await count('MilestoneDelivered')]
      if (seen.join() !== '1,1') faults.push(`task ${job.id}: ${seen[0]} claims and ${seen[1]} deliveries`)
    }
    // One claim, one start if the poster did not, one delivery: nothing else was sent, and nothing reverted.
    const claimed = await chain.getContractEvents({
      address: scene.contracts.taskRegistry,
      abi: taskRegistryAbi,
      eventName: 'TaskClaimed',
      args: { worker: owner.address },
      fromBlock: 0n,
    })
    if (claimed.length !== run.tasks) faults.push(`${claimed.length} claims for ${run.tasks} tasks`)
    const transactions = await chain.getTransactionCount({ address: session.address })
    if (transactions !== 2 * run.tasks) faults.push(`${transactions} transactions for ${run.tasks} tasks`)
    return { ...run, transactions, faults }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }

  /** The poster starts the work and accepts what is delivered. */
  async function acceptWork(job: Job): Promise<void> {
    const until = async (isSo: (status: Awaited<ReturnType<typeof readStatuses>>[number]) => boolean) => {
      for (;;) {
        const [status] = await readStatuses(scene, [job.id])
        if (status && isSo(status)) return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    await until(({ state }) => state === 'CLAIMED')
    await sendActivation(scene, job)
    await until(({ phase }) => phase === 'IN_REVIEW')
    await sendRelease(scene, job)
  }
}
