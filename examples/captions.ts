// A poster who buys captions for a film: posts a micro task with the market's store, and when a worker has delivered, downloads the
// file, decrypts it, checks it, and approves. Run `agent.ts` beside it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createChainReader, createSigningContext, prepareAction, type TaskDetail } from '@svc/chain'
import { apiEndpoints, createClient } from '@svc/client'
import {
  buildTermsFromDraft,
  formatTaskId,
  formatTermsText,
  parseTermsDraft,
  termsWire,
  toTaskTerms,
} from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { ActionName, PrepareInput } from '@svc/protocol/actions'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { listBundleReferences } from '@svc/protocol/work'
import { connectStore, ensureKeys, fetchBundle } from '@svc/work'
import { createKeyFolder } from '@svc/work/folder'
import { bytesToBigInt, getAddress, parseEventLogs, parseUnits, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { openStack } from './stack.ts'

const market = 'micro'
const captions = 6
const budget = '9,000 TOK'
const giveUpAt = Date.now() + 600_000

const stack = await openStack()
const me = privateKeyToAccount(stack.key('chiara'))
const reader = createChainReader(stack.providers, stack.places)
const { taskRegistry, finalCourt } = stack.places.markets[market]
const { chainId } = stack.deployments
// A real poster keeps this folder: its keys open what was delivered.
const folder = await mkdtemp(join(tmpdir(), 'poster-'))

try {
  const { store, statement } = await openStore()
  const number = await post(store.address, statement)
  const taskId = { market, number } as const
  const id = formatTaskId(taskId)
  console.log(`${id} is posted: ${captions} captions for ${budget}`)
  await until(number, ({ task }) => task.state === 'CLAIMED')
  await act('start-work', { taskId: id })
  const { timeline } = await until(number, ({ task }) => task.state === 'ACTIVE' && task.reviewEnd > 0)
  const [delivery] = listBundleReferences({ chainId, registry: taskRegistry, taskId, finalCourt }, timeline)
  if (!delivery) throw new Error('There is no delivery on chain.')
  // Every byte is checked against the hash on chain.
  const { manifest, readFile } = await fetchBundle(store, delivery)
  const [file] = manifest.files
  const text = new TextDecoder().decode(await readFile(file?.name ?? ''))
  const found = text.match(/^\d+\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}\n.+$/gm)?.length ?? 0
  console.log(`${id} received ${file?.name} with ${found} captions; the store signed for it: ${delivery.hasReceipt}`)
  if (found !== captions)
    throw new Error(`Expected ${captions} captions. Ask for changes: svc-work request-changes ${id}`)
  await act('accept-milestone', { taskId: id })
  console.log(`${id} is approved and paid`)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Signs in at the market's store. The statement names the key for which workers encrypt. */
async function openStore() {
  const { body: config } = await createClient(apiEndpoints, { baseUrl: stack.apiUrl }).getSiteConfig({ market })
  if (!config.store) throw new Error('This market has no store.')
  const now = () => Math.floor(Date.now() / 1_000)
  const keys = await ensureKeys({
    wallet: me.address,
    keyStore: createKeyFolder(folder),
    domain: new URL(stack.apiUrl).host,
    chainId,
    now: now(),
    verifySignature: verifyKeySignature,
    signMessage: (message) => me.signMessage({ message }),
  })
  const baseUrl = new URL(config.store.url, stack.apiUrl).href
  const store = connectStore({ baseUrl, address: getAddress(config.store.address), keys, now })
  return { store, statement: keys.statement ?? undefined }
}

/** Posts the task with its whole budget. Its text contains the statement, so no store can swap it. */
async function post(
  store: `0x${string}`,
  statement: Awaited<ReturnType<typeof openStore>>['statement'],
): Promise<bigint> {
  const draft = parseTermsDraft({
    market,
    title: `Write ${captions} captions for a film`,
    criteria: 'One .srt file, with a caption of four seconds for every scene.',
    milestones: [{ title: 'All captions', amount: budget, duration: '1 hour' }],
    store,
    statement,
  })
  const document = buildTermsFromDraft(draft, {
    signing: (each) => createSigningContext(stack.deployments, each),
    poster: me.address,
    now: (await reader.head()).timestamp,
    nonce: bytesToBigInt(crypto.getRandomValues(new Uint8Array(16))),
  })
  const receipts = await act('post-task', {
    market,
    terms: z.encode(termsWire, toTaskTerms(document)),
    text: formatTermsText(document),
    fundAmountTokWei: String(parseUnits('9000', 18)),
  })
  const logs = receipts.flatMap((receipt) => receipt.logs)
  const [posted] = parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs })
  if (!posted) throw new Error('The task was not posted.')
  return posted.args.taskId
}

/** Prepares an action, signs it and waits until it is on chain. */
async function act<Name extends ActionName>(action: Name, input: PrepareInput<Name>): Promise<TransactionReceipt[]> {
  const prepared = await prepareAction(stack.providers, stack.places, { action, input, from: me.address })
  if (prepared.simulation.status === 'refused') throw new Error(prepared.simulation.error.message)
  return stack.send(me, prepared.calls)
}

/** Waits until a task is as expected. */
async function until(number: bigint, isSo: (detail: TaskDetail) => boolean): Promise<TaskDetail> {
  while (Date.now() < giveUpAt) {
    const { detail } = await reader.getTask(market, number)
    if (detail && isSo(detail)) return detail
    await wait(300)
  }
  throw new Error('Nobody came in time.')
}
