// Signed messages of threads for tests: real keys, statements of device keys, and a payload of every kind.
import { type Address, getAddress, hashTypedData, keccak256, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { hashCancelOffer } from '../src/negotiation/messages/work.ts'
import { buildThreadMessage, type Thread } from '../src/talk/thread.ts'
import type { ThreadPayload, ThreadSide, ThreadType } from '../src/talk/threadKinds.ts'
import {
  buildThreadTypedData,
  type SignedThreadMessage,
  sealThreadMessage,
  type ThreadMessage,
  type ThreadSubject,
} from '../src/talk/threadMessage.ts'
import { buildClaimPermitTypedData } from '../src/terms/typedData.ts'
import { buildStatementMessage } from '../src/work/statement.ts'
import type { SignedStatement } from '../src/work/wire.ts'
import { context, testParties } from './negotiation.ts'

const talkDomain = 'market.example'
export const talkStart = 1_800_000_000

export const threadSubject: ThreadSubject = {
  chainId: context.chainId,
  taskRegistry: getAddress(context.taskRegistry),
  taskId: 'v2:micro:3',
  poster: testParties.poster.address,
  other: testParties.worker.address,
}

export const talkOptions = { chainId: context.chainId, domains: [talkDomain] }

const wallets = { poster: testParties.poster, other: testParties.worker }
const devices = {
  poster: privateKeyToAccount(toHex(21, { size: 32 })),
  other: privateKeyToAccount(toHex(22, { size: 32 })),
}

/** Signs a statement that names a device key. */
export async function signTalkStatement(
  wallet: PrivateKeyAccount,
  deviceKey: Address,
  domain = talkDomain,
): Promise<SignedStatement> {
  const message = buildStatementMessage({
    wallet: wallet.address,
    readingKey: `age1${'q'.repeat(58)}`,
    deviceKey,
    revokes: [],
    domain,
    chainId: context.chainId,
    nonce: '12345678',
    issuedAt: talkStart - 1_000,
    expiresAt: talkStart + 100 * 86_400,
  })
  return { message, signature: await wallet.signMessage({ message }) }
}

const statements = {
  poster: await signTalkStatement(wallets.poster, devices.poster.address),
  other: await signTalkStatement(wallets.other, devices.other.address),
}

/** Signs a message with the device key of a side. */
export async function sealThread(message: ThreadMessage, side: ThreadSide): Promise<SignedThreadMessage> {
  const signature = await devices[side].signTypedData(buildThreadTypedData(message))
  return sealThreadMessage(message, signature, statements[side])
}

/** Writes the next message of a side. `number` makes it differ from others. */
export async function writeThread(thread: Thread, side: ThreadSide, type: ThreadType, number: number) {
  const payload = await payloads[type](thread, side, number)
  const timestamp = new Date((talkStart + thread.messages.length) * 1_000)
  return sealThread(buildThreadMessage(thread, { side, type, payload, timestamp }), side)
}

type Payloads = {
  [Type in ThreadType]: (
    thread: Thread,
    side: ThreadSide,
    number: number,
  ) => ThreadPayload<Type> | Promise<ThreadPayload<Type>>
}

const digest = `0x${'ab'.repeat(32)}` as const
const expiry = BigInt(talkStart + 86_400)

const payloads: Payloads = {
  Question: (_, __, number) => ({ text: `How many, ${number}?` }),
  Answer: ({ messages, subject }, side, number) => {
    const asked = messages.findLast(({ message }) => message.sender !== subject[side])
    return { text: `So many: ${number}`, answers: asked?.hash ?? digest }
  },
  Invitation: (_, __, number) => ({ text: `You did well in task ${number}.` }),
  Application: (_, __, number) => ({ claims: [`I captioned ${number} photos.`], links: ['https://example.org'] }),
  Permit: async ({ subject }, _, number) => {
    const claim = { taskId: 3n, settlementDigest: digest, worker: subject.other, nonce: BigInt(number), expiry }
    const typed = buildClaimPermitTypedData(subject, claim)
    const data = await wallets.poster.sign({ hash: hashTypedData(typed) })
    return { settlementDigest: digest, permit: { nonce: claim.nonce, expiry, data } }
  },
  Brief: (_, __, number) => ({ hash: keccak256(toHex(`brief ${number}`)) }),
  AccessRequest: (_, __, number) => ({ text: `I have a new key, number ${number}.` }),
  Decline: () => ({ reason: 'Not this time.' }),
  EndProposal: async ({ subject }, side, number) => {
    const offer = {
      taskId: { market: 'micro', number: 3n },
      settlementDigest: digest,
      milestone: 0n,
      state: 'ACTIVE',
      reviewEnd: 0n,
      disputePhase: 'NONE',
      workerBps: 5_000n,
      nonce: BigInt(number),
      expiry,
      signature: '0x',
    } as const
    const signature = await wallets[side].sign({ hash: hashCancelOffer(subject, offer, subject[side]) })
    return { ...offer, signature }
  },
}
