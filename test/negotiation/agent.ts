// One party of a negotiation as a separate process. It knows its key, the other address, its files and the chain, and uses only
// svc-negotiate and send-proposal. Its last line of output is the result.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { loadLocalDeployments } from '@svc/chain'
import { countTasks, createDevnetClient, createScene, readStatuses, sendTransaction } from '@svc/devnet'
import { formatTaskId } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { buildCalls, findAction, parseActionInput } from '@svc/protocol/actions'
import { type Hex, keccak256, parseEventLogs, stringToHex, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type programs, runProgram } from './runProgram.ts'

const [role, folder, deploymentsFile, mailbox, transport, other] = process.argv.slice(2) as [
  'poster' | 'worker',
  string,
  string,
  string,
  string,
  Hex,
]
// biome-ignore lint/style/noProcessEnv: this is the entry file of a process.
const environment = process.env
const account = privateKeyToAccount(environment.PRIVATE_KEY as Hex)
const deployments = await loadLocalDeployments(deploymentsFile)
const client = createDevnetClient(deployments.rpcUrl)
const scene = createScene(client, deployments, 'micro')
const registry = { address: scene.contracts.taskRegistry, abi: taskRegistryAbi } as const
const carry = ['--transport', transport, '--mailbox', mailbox]
const patience = Date.now() + 60_000

if (transport === 'xmtp') await command('svc-negotiate', ['join', ...carry])
const result = role === 'poster' ? await asPoster() : await asWorker()
console.log(JSON.stringify(result))
process.exit(0)

async function asPoster() {
  const draft = {
    market: 'micro',
    worker: other,
    title: 'Translate a manual',
    criteria: 'All pages, in plain words.',
    milestones: [
      { title: 'First half', amount: '2,000 TOK', duration: '1 hour' },
      { title: 'Second half', amount: '2,000 TOK', duration: '1 hour' },
    ],
    claimWithin: '1 day',
    store: 'none',
  }
  const { negotiationId: id } = await command('send-proposal', [await file('draft', draft), ...carry])
  await receive(2)
  const { settlementDigest, milestones } = await command('svc-negotiate', ['show', id])
  if (milestones[1].amountTokWei !== '3000000000000000000000')
    throw new Error('That is not the price that I would pay.')
  await command('svc-negotiate', ['accept', id, '--digest', settlementDigest, ...carry])

  const created = await act('create-task', await command('svc-negotiate', ['task', id]))
  const [event] = parseEventLogs({ ...registry, eventName: 'TaskCreated', logs: created.logs })
  if (!event) throw new Error('No task was created.')
  const number = event.args.taskId
  const taskId = formatTaskId({ market: 'micro', number })
  await act('fund-task', { taskId, amountTokWei: '5000000000000000000000' })
  await act('start-work', { taskId })
  for (const milestone of [0, 1]) {
    await receive(1)
    await act(
      ...((milestone === 0 ? ['accept-milestone', { taskId, milestone }] : ['complete-task', { taskId }]) as [
        string,
        object,
      ]),
    )
    await command('svc-negotiate', ['say', id, 'AcceptDelivery', '--task', taskId, ...carry])
  }
  return finish(id, taskId)
}

async function asWorker() {
  const [{ negotiationId: id }] = await receive(1)
  const changes = {
    milestones: [
      { title: 'First half', amount: '2,000 TOK', duration: '1 hour' },
      { title: 'Second half, with pictures', amount: '3,000 TOK', duration: '2 hours' },
    ],
  }
  const countered = await command('svc-negotiate', [
    'counter',
    id,
    await file('changes', changes),
    '--reason',
    'Pictures take longer.',
    ...carry,
  ])
  await command('svc-negotiate', ['accept', id, '--digest', countered.settlementDigest, ...carry])
  await receive(1)

  const number = await taskInWork(countered.settlementDigest)
  const taskId = formatTaskId({ market: 'micro', number })
  for (const milestone of [0, 1]) {
    const proofHash = keccak256(stringToHex(`half ${milestone}`))
    await act('submit-proof', { taskId, milestone, proofHash })
    const notice = await file('notice', { proofHash, note: `Half ${milestone + 1} is done.` })
    await command('svc-negotiate', ['say', id, 'DeliveryNotice', notice, '--task', taskId, ...carry])
    await receive(1)
  }
  return finish(id, taskId)
}

async function finish(id: string, taskId: string) {
  const agreement = join(folder, 'agreement.json')
  const { settlementDigest } = await command('svc-negotiate', ['export', id, agreement])
  const { phase } = await command('svc-negotiate', ['verify', agreement, '--digest', settlementDigest])
  return { id, taskId, settlementDigest, phase, agreement }
}

/** Runs a command, prints its output, and throws if it fails. */
// biome-ignore lint/suspicious/noExplicitAny: results differ by command.
async function command(name: keyof typeof programs, argv: readonly string[]): Promise<any> {
  const places = ['--json', '--dir', join(folder, 'negotiations'), '--deployments', deploymentsFile]
  const { exit, out, err } = await runProgram(name, [...argv, ...places], environment)
  console.log(`${name} ${argv.join(' ')}\n${out}${err}`)
  if (exit !== 0) throw new Error(`${name} ${argv[0]} ended with ${exit}: ${out}${err}`)
  return JSON.parse(out)
}

async function receive(count: number) {
  const argv = ['receive', '--me', account.address, '--count', String(count), '--timeout', '60', ...carry]
  return (await command('svc-negotiate', argv)).accepted
}

/** Executes an action on chain with its input as JSON. */
async function act(name: string, json: unknown): Promise<TransactionReceipt> {
  const action = findAction(name)
  if (!action) throw new Error(`There is no action ${name}.`)
  const calls = buildCalls(action, parseActionInput(action, json), {
    from: account.address,
    contracts: scene.contracts,
  })
  const receipts: TransactionReceipt[] = []
  for (const { to, data } of calls) receipts.push(await sendTransaction(client, account, { to, data }))
  return receipts.at(-1) as TransactionReceipt
}

/** Waits for the task with this digest to become active on chain. */
async function taskInWork(digest: Hex): Promise<bigint> {
  for (; Date.now() < patience; await wait(100)) {
    for (let number = BigInt(await countTasks(scene)); number > 0n; number--) {
      const found = await client.readContract({ ...registry, functionName: 'settlementDigestOf', args: [number] })
      if (found !== digest) continue
      const [status] = await readStatuses(scene, [number])
      if (status?.state === 'ACTIVE') return number
    }
  }
  throw new Error(`No task with digest ${digest} is in work.`)
}

async function file(name: string, json: unknown): Promise<string> {
  const path = join(folder, `${name}.json`)
  await writeFile(path, JSON.stringify(json))
  return path
}
