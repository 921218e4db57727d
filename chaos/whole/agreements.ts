import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Deployments } from '@svc/chain'
import { buildAcceptanceTypedData, toSigningContext, toTaskTerms } from '@svc/protocol'
import {
  buildEnvelope,
  buildEnvelopeTypedData,
  formatAgreement,
  formatMessageLine,
  type MessagePayload,
  type MessageType,
  sealMessage,
  verifyAgreement,
} from '@svc/protocol/negotiation'
import type { LocalAccount } from 'viem'
import { receiveMessages } from '../../apps/tools/src/negotiate/receiveMessages.ts'
import {
  createTranscriptStore,
  type Transcript,
  type TranscriptStore,
} from '../../apps/tools/src/negotiate/transcriptStore.ts'
import { createFileTransport } from '../../apps/tools/src/transport/fileTransport.ts'
import { drawNonce, type TaskRun } from './taskRun.ts'

/** Negotiates private tasks: messages between two wallets' transcript stores, carried by mailboxes of files. */
export interface Agreements {
  /** Negotiates the task once and returns the agreed terms as the input of `create-task`. */
  agree: (run: TaskRun) => Promise<Record<string, unknown>>
  /** The agreement file of each negotiated task, as exported from each party's store. */
  files: () => Promise<{ run: TaskRun; files: readonly string[] }[]>
  close: () => Promise<void>
}

/** Opens a transcript store for each wallet, in a temporary folder. */
export async function openAgreements(deployments: Deployments, now: number): Promise<Agreements> {
  const folder = await mkdtemp(join(tmpdir(), 'agreements-'))
  const mailboxes = join(folder, 'mail')
  const { chainId } = deployments
  const stores = new Map<string, TranscriptStore>()
  const negotiations = new Map<TaskRun, Promise<string>>()
  const storeFor = ({ address }: LocalAccount): TranscriptStore => {
    const store = stores.get(address) ?? createTranscriptStore({ folder: join(folder, address), deployments })
    stores.set(address, store)
    return store
  }

  /** Writes a message as one wallet, and receives it as the other. */
  const sendMessage = async <Type extends MessageType>(
    [by, to]: readonly [LocalAccount, LocalAccount],
    id: string | null,
    type: Type,
    payload: MessagePayload<Type>,
  ): Promise<Transcript> => {
    const transcript = await storeFor(by).append(id, async (_, end) => {
      const sender = { evmAddress: by.address }
      const envelope = buildEnvelope(end, { type, payload, sender, timestamp: new Date(now * 1000) })
      return sealMessage(envelope, await by.signTypedData(buildEnvelopeTypedData(chainId, envelope)))
    })
    const last = transcript.messages.at(-1)
    if (last) await createFileTransport(mailboxes, by.address).send(to.address, formatMessageLine(last))
    const carried = { store: storeFor(to), transport: createFileTransport(mailboxes, to.address), me: to.address }
    const { refused } = await receiveMessages(carried, { count: 1, signal: AbortSignal.timeout(10_000) })
    if (refused.length > 0) throw new Error(`${to.address} refused a message: ${refused[0]}`)
    return transcript
  }
  const accept = async (pair: readonly [LocalAccount, LocalAccount], id: string, { terms, random }: TaskRun) => {
    const [by] = pair
    const acceptance = { party: by.address, nonce: drawNonce(random), expiry: BigInt(now + 86_400) }
    const typed = buildAcceptanceTypedData(toSigningContext(terms), {
      terms: toTaskTerms(terms),
      worker: terms.worker ?? '0x',
      ...acceptance,
    })
    const signature = await by.signTypedData(typed)
    await sendMessage(pair, id, 'TaskAcceptance', {
      settlementDigest: terms.settlementDigest,
      ...acceptance,
      signature,
    })
  }
  // A mailbox is emptied by its first reader, so only one negotiation runs at a time.
  let turn: Promise<unknown> = Promise.resolve()
  const negotiate = (run: TaskRun): Promise<string> => {
    const { poster, workers, terms } = run
    const [to, back] = [[poster, workers[0]] as const, [workers[0], poster] as const]
    const mine = turn.then(async () => {
      const { state } = await sendMessage(to, null, 'TaskProposal', { terms })
      await accept(back, state.negotiationId, run)
      await accept(to, state.negotiationId, run)
      return state.negotiationId
    })
    turn = mine.catch(() => {})
    return mine
  }
  const exportAgreement = async (wallet: LocalAccount, id: string) =>
    formatAgreement((await storeFor(wallet).read(id)).messages, { chainId })

  return {
    async agree(run) {
      const negotiation = negotiations.get(run) ?? negotiate(run)
      negotiations.set(run, negotiation)
      const { terms, acceptances, worker } = await verifyAgreement(await exportAgreement(run.poster, await negotiation))
      const { poster: posterAcceptance, worker: workerAcceptance } = acceptances
      return { market: run.market, terms: toTaskTerms(terms), worker, posterAcceptance, workerAcceptance }
    },
    files: () =>
      Promise.all(
        [...negotiations].map(async ([run, id]) => {
          const parties = [run.poster, run.workers[0]]
          return { run, files: await Promise.all(parties.map(async (party) => exportAgreement(party, await id))) }
        }),
      ),
    close: () => rm(folder, { recursive: true, force: true }),
  }
}
