import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Deployments } from '@svc/chain'
import { acceptanceTypedData, contextOf, termsOf } from '@svc/protocol'
import {
  draftEnvelope,
  envelopeTypedData,
  type MessagePayload,
  type MessageType,
  sealMessage,
  verifyAgreement,
  writeAgreement,
  writeMessage,
} from '@svc/protocol/negotiation'
import type { LocalAccount } from 'viem'
import { type Book, createBook, type Transcript } from '../../apps/tools/src/negotiate/book.ts'
import { receive } from '../../apps/tools/src/negotiate/receive.ts'
import { createFileTransport } from '../../apps/tools/src/transport/fileTransport.ts'
import { type Life, nonceOf } from './life.ts'

/** Private tasks as their parties agree on them: messages between two wallets' books, carried by mailboxes of files. */
export interface Agreements {
  /** What both agreed on, as the input of `create-task`; agreed on once, however often it is asked for. */
  agreed: (life: Life) => Promise<Record<string, unknown>>
  /** The agreement file of each life that has one, as each of its parties' books has it. */
  files: () => Promise<{ life: Life; files: readonly string[] }[]>
  close: () => Promise<void>
}

/** Makes the books of everybody, in a folder that goes with them. */
export async function openAgreements(deployments: Deployments, now: number): Promise<Agreements> {
  const folder = await mkdtemp(join(tmpdir(), 'agreements-'))
  const mailboxes = join(folder, 'mail')
  const { chainId } = deployments
  const books = new Map<string, Book>()
  const negotiations = new Map<Life, Promise<string>>()
  const bookOf = ({ address }: LocalAccount): Book => {
    const book = books.get(address) ?? createBook({ folder: join(folder, address), deployments })
    books.set(address, book)
    return book
  }

  /** One writes, the other finds it in the mailbox. */
  const say = async <Type extends MessageType>(
    [by, to]: readonly [LocalAccount, LocalAccount],
    id: string | null,
    type: Type,
    payload: MessagePayload<Type>,
  ): Promise<Transcript> => {
    const said = await bookOf(by).write(id, async (_, end) => {
      const sender = { evmAddress: by.address }
      const envelope = draftEnvelope(end, { type, payload, sender, timestamp: new Date(now * 1000) })
      return sealMessage(envelope, await by.signTypedData(envelopeTypedData(chainId, envelope)))
    })
    const last = said.messages.at(-1)
    if (last) await createFileTransport(mailboxes, by.address).send(to.address, writeMessage(last))
    const carried = { book: bookOf(to), transport: createFileTransport(mailboxes, to.address), me: to.address }
    const { refused } = await receive(carried, { count: 1, signal: AbortSignal.timeout(10_000) })
    if (refused.length > 0) throw new Error(`${to.address} refused a message: ${refused[0]}`)
    return said
  }
  const accept = async (pair: readonly [LocalAccount, LocalAccount], id: string, { terms, random }: Life) => {
    const [by] = pair
    const said = { party: by.address, nonce: nonceOf(random), expiry: BigInt(now + 86_400) }
    const typed = acceptanceTypedData(contextOf(terms), {
      terms: termsOf(terms),
      worker: terms.worker ?? '0x',
      ...said,
    })
    const signature = await by.signTypedData(typed)
    await say(pair, id, 'TaskAcceptance', { settlementDigest: terms.settlementDigest, ...said, signature })
  }
  // Mailboxes are emptied by whoever looks first: one negotiation at a time.
  let turn: Promise<unknown> = Promise.resolve()
  const negotiate = (life: Life): Promise<string> => {
    const { poster, workers, terms } = life
    const [to, back] = [[poster, workers[0]] as const, [workers[0], poster] as const]
    const mine = turn.then(async () => {
      const { state } = await say(to, null, 'TaskProposal', { terms })
      await accept(back, state.negotiationId, life)
      await accept(to, state.negotiationId, life)
      return state.negotiationId
    })
    turn = mine.catch(() => {})
    return mine
  }
  const fileOf = async (wallet: LocalAccount, id: string) =>
    writeAgreement((await bookOf(wallet).read(id)).messages, { chainId })

  return {
    async agreed(life) {
      const known = negotiations.get(life) ?? negotiate(life)
      negotiations.set(life, known)
      const { terms, acceptances, worker } = await verifyAgreement(await fileOf(life.poster, await known))
      const { poster: posterAcceptance, worker: workerAcceptance } = acceptances
      return { market: life.market, terms: termsOf(terms), worker, posterAcceptance, workerAcceptance }
    },
    files: () =>
      Promise.all(
        [...negotiations].map(async ([life, id]) => {
          const parties = [life.poster, life.workers[0]]
          return { life, files: await Promise.all(parties.map(async (party) => fileOf(party, await id))) }
        }),
      ),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
