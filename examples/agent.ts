// An agent that earns TOK in the micro market with @svc/agent, within a grant: it finds tasks, judges, claims and delivers them, and is paid
// when the poster accepts or the review window ends. `--tasks 2` takes two. `--hurry` moves the clock of a local chain forward.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { getSmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import {
  computeWorstCase,
  createAgent,
  createJournalFile,
  createSigner,
  type DoWork,
  describeWorstCase,
  type Job,
  type Offer,
  planGrant,
  signGrant,
  signInAgent,
} from '@svc/agent'
import { advanceTimeTo, createDevnetClient, deployDelegationFramework, sendTokens } from '@svc/devnet'
import { accessFee, formatAmount, parseAmount } from '@svc/protocol'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { findSkill } from './agent/brain.ts'
import { openStack } from './stack.ts'

const { values: options } = parseArgs({
  options: { tasks: { type: 'string', default: '1' }, hurry: { type: 'boolean', default: false } },
})
const market = 'micro'
const count = Number(options.tasks)

const stack = await openStack()
const { chain } = stack
const devnet = stack.isLocal ? createDevnetClient(stack.rpcUrl) : null
// An agent that runs for longer keeps this folder: it has the keys that open what others send.
const folder = await mkdtemp(join(tmpdir(), 'agent-'))
try {
  const agent = await createAgent({ ...(await setUp()), folder, chain, pollMs: 300 })
  const jobs: Job[] = []
  const running: Promise<void>[] = []
  for await (const offer of agent.offers({ minNetPerHour: '150 TOK' })) {
    if (!(await judge(offer))) continue
    const job = await offer.claim()
    if (!job) continue
    console.log(`${job.id} is claimed`)
    jobs.push(job)
    running.push(finish(job))
    if (jobs.length === count) break
  }
  if (options.hurry && devnet) void hurry(jobs)
  await Promise.all(running)
  const released = await Promise.all(jobs.map(async (job) => BigInt((await job.read()).releasedTokWei)))
  const spent = accessFee * BigInt(jobs.length)
  console.log(
    `Earned ${formatAmount(
      released.reduce((sum, each) => sum + each, -spent),
      'tok',
    )} after fees.`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exit()

/** Lets the account of the agent act within limits. For more than a demo its owner, the signer and the agent are three processes. */
async function setUp() {
  const { ownKey } = stack
  const owner = privateKeyToAccount(ownKey ?? generatePrivateKey())
  const session = privateKeyToAccount(generatePrivateKey())
  if (devnet && !ownKey) {
    await devnet.setBalance({ address: owner.address, value: parseEther('1') })
    const tokens = { tok: parseAmount('10,000 TOK', 'tok'), usdc: parseAmount('100 USDC', 'usdc') }
    await sendTokens(devnet, stack.deployments, owner.address, tokens)
  }
  const { id: chainId } = chain.chain
  const framework = devnet ? await deployDelegationFramework(devnet) : getSmartAccountsEnvironment(chainId)
  const { timestamp } = await chain.getBlock()
  const plan = await planGrant(chain, framework, owner.address, {
    apiUrl: stack.apiUrl,
    market,
    contracts: stack.places.markets[market],
    session: session.address,
    uses: ['earn'],
    claims: count,
    hires: 0,
    budgetTokWei: 0n,
    depositUsdc: parseAmount('51 USDC', 'usdc'),
    until: Number(timestamp) + 30 * 86_400,
    gasWei: parseEther('0.01'),
  })
  console.log(describeWorstCase(computeWorstCase(plan)))
  const grant = await signGrant(chain, framework, owner, plan)
  await signInAgent(grant, { folder, owner, chain })
  return { grant, signer: createSigner({ grant, session, chain, journal: createJournalFile(join(folder, 'journal')) }) }
}

/** Takes only work that it can do. */
async function judge({ id, claimPolicy, netPerHourTokWei, untrusted }: Offer): Promise<boolean> {
  const isGood = claimPolicy === 'ANYONE' && findSkill({ ...untrusted, criteria: untrusted.excerpt }) !== null
  const why = isGood ? `good for ${formatAmount(netPerHourTokWei, 'tok')} an hour` : 'I cannot do this kind of work'
  console.log(`${id} "${untrusted.title}": ${why}`)
  return isGood
}

async function finish(job: Job): Promise<void> {
  const doWork: DoWork = async ({ untrusted, outbox }) => {
    const skill = findSkill(untrusted)
    if (!skill) throw new Error(`No skill matches ${job.id}.`)
    await outbox.write(skill.file, skill.work())
    console.log(`${job.id} delivers ${skill.file}: ${skill.work().split('\n')[0]}`)
    return `See ${skill.file}.`
  }
  const { state, releasedTokWei } = await job.run(doWork)
  console.log(`${job.id} is ${state}: ${formatAmount(releasedTokWei, 'tok')} paid`)
}

/** Moves the clock to the end of the poster's turns, once it is the poster's turn everywhere. */
async function hurry(jobs: readonly Job[]): Promise<void> {
  for (;;) {
    const tasks = await Promise.all(jobs.map((job) => job.read()))
    const turns = tasks.map(
      ({ deadlines, state }) => deadlines.review ?? deadlines.vet ?? (state === 'COMPLETED' ? 0 : null),
    )
    const waits = turns.filter((each) => each !== null && each > 0)
    if (devnet && waits.length > 0 && !turns.includes(null))
      await advanceTimeTo(devnet, Math.min(...waits.map(Number)) + 1)
    await wait(1_000)
  }
}
