// What two wallets say to each other, as the tools must show it.
import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { computeSettlementDigest, parseTaskId } from '@svc/protocol'
import type { ThreadSubject } from '@svc/protocol/talk'
import { type Address, type Hex, isAddressEqual, type TypedDataDefinition } from 'viem'
import { assertEqual } from './assertEqual.ts'
import { type Call, isObject, type Json, type JsonObject } from './call.ts'
import type { TaskFact } from './facts.ts'
import { type buildExpectedTerms, describeTypedData } from './privateTerms.ts'
import { readTaskTerms } from './taskDetail.ts'
import type { BehaviourWorld } from './world.ts'

interface Said {
  type: string
  by: Address
  words: readonly string[]
}

/** Where a thread stands for one of its sides. */
interface Position {
  yourTurn: boolean
  turn: string
  /** The message that waits for an answer, by its place. */
  open?: number
  hasPermit?: boolean
  isEndAgreed?: boolean
  endOffers?: { yours: number | null; theirs: number | null }
}

export const sent = 'Sent. Read the answer with svc_read_messages.'
const signFirst =
  'Nothing was sent. Sign typedData with the wallet tool, then repeat the call with signature {nonce, expiry, data}.'

/** A thread as one side sees it. The hashes and times of its messages are those in the mailbox of the partner. */
export async function expectThread(
  { machine }: BehaviourWorld,
  task: TaskFact,
  partner: Address,
  me: Address,
  all: readonly Said[],
  standing: Position,
) {
  const mail = await machine.readMail(partner)
  const arrived = mail.flatMap((each) => ('message' in each && each.message.taskId === task.id ? [each] : []))
  const messages = all.map(({ type, by, words }, index) => {
    const { hash, message } = arrived[index] ?? {}
    if (!message || Math.abs(Date.parse(message.timestamp) - Date.now()) > 60_000)
      throw new Error(`${partner} has no such ${type}.`)
    const sequence = all.slice(0, index + 1).filter((each) => each.by === by).length
    return { type, hash, sender: by, sequence, timestamp: message.timestamp, untrustedWords: words }
  })
  assertEqual(arrived.length, all.length, `what ${partner} got`)
  const { open, hasPermit = false, isEndAgreed = false, endOffers = { yours: null, theirs: null }, ...turn } = standing
  const waiting = open === undefined ? undefined : messages[open]
  return {
    taskId: task.id,
    with: partner,
    role: isAddressEqual(task.poster, me) ? 'poster' : 'worker',
    ...turn,
    open: waiting ? [{ type: waiting.type, hash: waiting.hash, reactsYou: turn.yourTurn }] : [],
    hasPermit,
    isEndAgreed,
    endOffers,
    waiting: 0,
    misconduct: [],
    messages,
  }
}

/** A thread about a task between its poster and a worker. */
export function expectSubject({ facts }: BehaviourWorld, { id, poster }: TaskFact, other: Address): ThreadSubject {
  const { market } = parseTaskId(id)
  return { chainId: 8453, taskRegistry: facts[market].contracts.taskRegistry, taskId: id, poster, other }
}

/** What a permit of a poster names: the terms with this worker. */
export function expectPermitDigest({ devnet }: BehaviourWorld, task: TaskFact, worker: Address): Hex {
  const { market } = parseTaskId(task.id)
  return computeSettlementDigest(createSigningContext(devnet.deployments, market), readTaskTerms(task), worker)
}

/** Calls a tool that first returns what the wallet must sign. Returns what it says then, and the signature as an action takes it. */
export async function signInTwoSteps(
  call: Call,
  to: string,
  input: JsonObject & { address: Address },
  validSeconds: number,
  describe: (nonce: bigint, expiry: bigint) => TypedDataDefinition,
): Promise<[body: Json, signature: JsonObject]> {
  const { body } = await call({ to, input })
  const { meta: _, ...first } = isObject(body) ? body : {}
  const { nonce, expiry } = isObject(first.signature) ? first.signature : {}
  if (Math.abs(Number(expiry) - validSeconds - Date.now() / 1_000) > 60) throw new Error(`It is valid until ${expiry}.`)
  const typed = describe(BigInt(String(nonce)), BigInt(String(expiry)))
  const expected = { typedData: describeTypedData(typed), signature: { nonce, expiry }, nextStep: signFirst }
  assertEqual(first, expected, `what ${input.address} must sign`)
  const account = findToolAccount(input.address)
  const signature = { nonce: String(nonce), expiry: String(expiry), data: await account.signTypedData(typed) }
  const { body: done } = await call({ to, input: { ...input, signature } })
  return [done, { ...signature, expiry: Number(expiry) }]
}

export function findToolAccount(wallet: Address) {
  const account = Object.values(accounts).find(({ address }) => address === wallet)
  if (!account) throw new Error(`${wallet} cannot sign.`)
  return account
}

/** A proposal that waits for the worker, without whose turn it is. */
export const expectNegotiation = (
  document: ReturnType<typeof buildExpectedTerms>['document'],
  negotiationId: string,
) => ({
  negotiationId,
  phase: 'OFFERED',
  parties: { poster: document.poster, worker: document.worker },
  turn: document.worker,
  settlementDigest: document.settlementDigest,
  accepted: { poster: false, worker: false },
  messages: 1,
  dropped: 0,
  totalTokWei: '350500000000000000000',
  claimDeadline: document.claimDeadline,
  untrustedTitle: document.title,
  untrustedCriteria: document.criteria,
})
