// A poster negotiates a private task of two milestones with a worker, creates it on chain, and pays. Both use svc-negotiate in
// separate processes with their own keys and transcripts, like on two machines.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createChainReader, prepareAction } from '@svc/chain'
import { formatAmount, formatTaskId } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { type ActionName, actions, encodeActionInput, type PrepareInput, parseActionInput } from '@svc/protocol/actions'
import { verifyAgreement } from '@svc/protocol/negotiation'
import { type Hex, keccak256, parseEventLogs, stringToHex, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { openStack } from './stack.ts'

/** The fields of svc-negotiate's output that are used here. */
const saying = z.object({
  sequence: z.number(),
  type: z.string(),
  negotiationId: z.string(),
  settlementDigest: z.string(),
})
const standing = z.object({ settlementDigest: z.string(), milestones: z.array(z.object({ amountTokWei: z.string() })) })

const market = 'micro'
/** The poster's budget for the whole task. */
const budget = 5_000n * 10n ** 18n
/** Five days, because svc-negotiate uses the local clock and the clock of a devnet can be ahead. */
const fiveDays = 5 * 86_400

const stack = await openStack()
const registry = { address: stack.places.markets[market].taskRegistry, abi: taskRegistryAbi } as const
const program = fileURLToPath(new URL('../apps/tools/src/svc-negotiate.ts', import.meta.url))
const ending = new AbortController()
const folder = await mkdtemp(join(tmpdir(), 'negotiation-'))
const poster = party('poster', stack.key('bruno'))
const worker = party('worker', stack.publicKey('ivo'))

try {
  const half = (title: string, amount: string) => ({ title, amount, duration: '1 hour' })
  const draft = await file('draft', {
    market,
    worker: worker.account.address,
    title: 'Translate a manual',
    criteria: 'All pages, in plain words.',
    milestones: [half('First half', '2,000 TOK'), half('Second half', '2,000 TOK')],
    claimWithin: `${fiveDays} s`,
    store: 'none',
  })
  const { negotiationId: id } = await say(poster, worker, 'propose', draft)
  const more = await file('changes', {
    milestones: [half('First half', '2,000 TOK'), half('Second half', '3,000 TOK')],
  })
  const offer = await say(worker, poster, 'counter', id, more, '--reason', 'The second half has pictures.')
  const accept = (digest: string) => ['accept', id, '--digest', digest, '--valid', String(fiveDays)]
  await say(worker, poster, ...accept(offer.settlementDigest))

  const { milestones, settlementDigest } = standing.parse(await poster.run('show', id))
  const price = milestones.reduce((sum, { amountTokWei }) => sum + BigInt(amountTokWei), 0n)
  if (price > budget) throw new Error(`${formatAmount(price, 'tok')} is more than the budget.`)
  await say(poster, worker, ...accept(settlementDigest))
  console.log(`Agreed on ${formatAmount(price, 'tok')}: ${settlementDigest}`)

  const createTask = actions['create-task']
  const input = encodeActionInput(createTask, parseActionInput(createTask, await poster.run('task', id)))
  const [created] = parseEventLogs({
    ...registry,
    eventName: 'TaskCreated',
    logs: await act(poster, 'create-task', input),
  })
  if (!created) throw new Error('No task was created.')
  const number = created.args.taskId
  const taskId = formatTaskId({ market, number })
  await act(poster, 'fund-task', { taskId })
  await act(poster, 'start-work', { taskId })

  for (const work of ['Pages 1 to 20, translated.', 'Pages 21 to 40, translated, with 12 pictures.']) {
    const proofHash = keccak256(stringToHex(work))
    await act(worker, 'submit-proof', { taskId, proofHash })
    const notice = await file('notice', { proofHash, note: work })
    await say(worker, poster, 'say', id, 'DeliveryNotice', notice, '--task', taskId)
    await act(poster, 'accept-milestone', { taskId })
    await say(poster, worker, 'say', id, 'AcceptDelivery', '--task', taskId)
  }

  const { detail } = await createChainReader(stack.providers, stack.places).getTask(market, number)
  const digest = await stack.chain.readContract({ ...registry, functionName: 'settlementDigestOf', args: [number] })
  await worker.run('export', id, 'agreement.json')
  // Fails for any other digest: the file proves what is on chain.
  const { length, phase } = await verifyAgreement(await readFile(join(folder, 'agreement.json'), 'utf8'), { digest })
  console.log(`${taskId} is ${detail?.task.state}, ${formatAmount(detail?.task.released ?? 0n, 'tok')} paid`)
  console.log(`${length} messages, ${phase}, prove the digest that the chain has: ${digest}`)
} finally {
  ending.abort()
  await rm(folder, { recursive: true, force: true })
}

/** One party: its wallet, and svc-negotiate with its own key and transcripts. */
function party(name: string, key: Hex) {
  const account = privateKeyToAccount(key)
  // Each command is a new process. The compile cache makes them start faster.
  const places = { SVC_DEPLOYMENTS: resolve(stack.deploymentsFile), NODE_COMPILE_CACHE: join(folder, 'compiled') }
  const options = { cwd: folder, env: { PRIVATE_KEY: key, ...places }, timeout: 120_000, signal: ending.signal }
  return {
    name,
    account,
    async run(...args: string[]): Promise<unknown> {
      const argv = [program, ...args, '--dir', name, '--json']
      return JSON.parse((await promisify(execFile)(process.execPath, argv, options)).stdout)
    },
  }
}

type Party = ReturnType<typeof party>

/** One party sends a message, and the other receives it. */
async function say(from: Party, to: Party, ...args: string[]) {
  const heard = to.run('receive', '--me', to.account.address, '--timeout', '90')
  const [said] = await Promise.all([from.run(...args).then((answer) => saying.parse(answer)), heard])
  console.log(`${said.sequence}. ${from.name}: ${said.type}`)
  return said
}

/** Prepares an action directly from the chain, which derives missing inputs, and sends it. Returns its logs. */
async function act<N extends ActionName>({ name, account }: Party, action: N, input: PrepareInput<N>): Promise<Logs> {
  const query = { action, input, from: account.address }
  const { calls, costs, simulation } = await prepareAction(stack.providers, stack.places, query)
  if (simulation.status === 'refused') throw new Error(`${simulation.error.message} ${simulation.error.wayOut}`)
  const receipts = await stack.send(account, calls)
  console.log(`   ${name} ${[action, ...costs.map(({ what, amount }) => `${what}: ${amount}`)].join('; ')}`)
  return receipts.flatMap(({ logs }) => logs)
}

type Logs = TransactionReceipt['logs']

/** Writes JSON for svc-negotiate to read. */
async function file(name: string, json: unknown): Promise<string> {
  const path = join(folder, `${name}.json`)
  await writeFile(path, JSON.stringify(json))
  return path
}
