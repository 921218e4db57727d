import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Deployments, signingContext } from '@svc/chain'
import { contextOf } from '@svc/protocol'
import {
  applyMessage,
  BrokenTranscriptError,
  type ChainEnd,
  foldTranscript,
  MessageRefusedError,
  maxMessages,
  type Negotiation,
  newChain,
  readMessage,
  type SignedMessage,
  type VerifySignature,
  writeMessage,
} from '@svc/protocol/negotiation'
import { type Address, isAddressEqual } from 'viem'
import { locked } from './locked.ts'
import { appendLine, maxTranscriptBytes, readLines, removeLine } from './transcriptFile.ts'

/** A negotiation as its file has it, every seal and every rule checked. */
export interface Transcript {
  messages: readonly SignedMessage[]
  state: Negotiation
}

/** All negotiations of one wallet, a file each. */
export interface Book {
  /** The ids, in order. */
  list: () => Promise<string[]>
  /** Throws `UnknownNegotiationError`, or `BrokenTranscriptError` for a file that somebody changed. */
  read: (id: string) => Promise<Transcript>
  /** Writes a message of one's own; `compose` gets what stands at that moment. Without an id a negotiation begins. */
  write: (
    id: string | null,
    compose: (state: Negotiation | null, end: ChainEnd) => Promise<SignedMessage>,
  ) => Promise<Transcript>
  /**
   * Writes a message that arrived for `me`, unless it is there already. `from` is who the transport knows to have sent it; with
   * `only` nobody else is heard. Refuses with `MessageRefusedError`, and the file stays as it was.
   */
  take: (
    text: string,
    to: { me: Address; from?: readonly Address[] | undefined; only?: Address | undefined },
  ) => Promise<Transcript & { known: boolean }>
  /**
   * Takes back one's own last message, for when both wrote at the same time. It is kept beside the transcript; a signature in it
   * stays good on chain. Refuses when another message follows, or when it began the negotiation.
   */
  withdraw: (id: string, me: Address) => Promise<Transcript>
}

export interface BookOptions {
  folder: string
  /** The markets that are negotiated about; terms for others are refused. */
  deployments: Deployments
  verifySignature?: VerifySignature | undefined
}

interface Loaded {
  lines: readonly string[]
  /** Where the last whole line ends. */
  end: number
  messages: readonly SignedMessage[]
  state: Negotiation | null
}

/** The most negotiations in a book: strangers can begin them. */
const maxNegotiations = 1_000

/** Opens a book, empty at first. One process at a time writes; each reads whole messages only. */
export function createBook({ folder, deployments, verifySignature }: BookOptions): Book {
  const options = { chainId: deployments.chainId, verifySignature }
  const pathOf = (id: string) => join(folder, `${id.toLowerCase()}.jsonl`)

  /** The file that was read last, whose beginning need not be checked again while it is the same. */
  let checked: Loaded & { id: string } = { id: '', lines: [], end: 0, messages: [], state: null }
  const load = async (id: string): Promise<Loaded> => {
    const { lines, end } = await readLines(pathOf(id))
    const isSame = id === checked.id && checked.lines.every((line, index) => line === lines[index])
    const messages = isSame ? [...checked.messages] : []
    let state = isSame ? checked.state : null
    for (const line of lines.slice(messages.length)) {
      try {
        const message = readMessage(line)
        state = await applyMessage(state, message, options)
        messages.push(message)
      } catch (error) {
        if (error instanceof MessageRefusedError) throw new BrokenTranscriptError(messages.length + 1, error.reason)
        throw error
      }
    }
    checked = { id, lines, end, messages, state }
    return checked
  }
  const list = async () => {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names.flatMap((name) => (fileName.test(name) ? [name.slice(0, -'.jsonl'.length)] : [])).sort()
  }
  const alone = async <T>(work: () => Promise<T>) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return locked(join(folder, '.lock'), work)
  }
  /** Judges a message by what is there, and adds it. */
  const add = async (id: string, before: Loaded, message: SignedMessage) => {
    const state = await applyMessage(before.state, message, options)
    if (!before.state) {
      demandOurMarket(state, deployments)
      if ((await list()).length >= maxNegotiations) {
        throw new MessageRefusedError(
          `there are ${maxNegotiations} negotiations already: move old ones out of ${folder}.`,
        )
      }
    }
    const line = writeMessage(message)
    if (before.end + Buffer.byteLength(line) + 1 > maxTranscriptBytes) {
      throw new MessageRefusedError(`the transcript would take more than ${maxTranscriptBytes} bytes.`)
    }
    await appendLine(pathOf(id), before.end, line)
    return { messages: [...before.messages, message], state }
  }

  return {
    list,
    async read(id) {
      const { messages, state } = await load(wellFormed(id))
      if (!state) throw new UnknownNegotiationError(id)
      return { messages, state }
    },
    write: (id, compose) =>
      alone(async () => {
        const known = wellFormed(id ?? crypto.randomUUID())
        const before = await load(known)
        if (id !== null && !before.state) throw new UnknownNegotiationError(id)
        const end = before.state ?? newChain(known)
        if (end.length >= maxMessages)
          throw new MessageRefusedError(`a negotiation has at most ${maxMessages} messages.`)
        return add(known, before, await compose(before.state, end))
      }),
    take: async (text, { me, from, only }) => {
      const message = readMessage(text)
      const { negotiationId } = message.envelope
      if (from && !from.some((wallet) => isBy(message, wallet))) {
        throw new MessageRefusedError('it was sent by another wallet than the one it names.')
      }
      if (only && !isBy(message, only)) throw new MessageRefusedError(`it is not from ${only}.`)
      return alone(async () => {
        const before = await load(negotiationId)
        const { messages, state } = before
        if (state && before.lines.includes(text)) return { messages, state, known: true }
        if (!state) demandForMe(message, me)
        else demandNoRival(messages, message, me)
        return { ...(await add(negotiationId, before, message)), known: false }
      })
    },
    withdraw: (id, me) =>
      alone(async () => {
        const { lines, end, messages } = await load(wellFormed(id))
        const [line, last] = [lines.at(-1), messages.at(-1)]
        if (line === undefined || !last) throw new UnknownNegotiationError(id)
        if (!isBy(last, me)) throw new MessageRefusedError('the last message is not yours: it cannot be taken back.')
        if (messages.length === 1)
          throw new MessageRefusedError('it began the negotiation: leave it and begin another one.')
        await removeLine(pathOf(id), end - Buffer.byteLength(line) - 1, line)
        const rest = messages.slice(0, -1)
        return { messages: rest, state: await foldTranscript(rest, options) }
      }),
  }
}

/** Terms for a registry or a token that only looks like ours would be signed for nothing. */
function demandOurMarket({ terms }: Negotiation, deployments: Deployments): void {
  const [said, ours] = [contextOf(terms), signingContext(deployments, terms.market)]
  for (const field of ['taskRegistry', 'asset'] as const) {
    if (isAddressEqual(said[field], ours[field])) continue
    throw new MessageRefusedError(`its ${field} is ${said[field]}, but the ${terms.market} market has ${ours[field]}.`)
  }
}

function demandForMe({ envelope: { type, payload } }: SignedMessage, me: Address): void {
  if (type !== 'TaskProposal') {
    throw new MessageRefusedError(`no message of this negotiation is here, and ${type} is not the first one.`)
  }
  const { poster, worker } = payload.terms
  if (![poster, worker].some((party) => party?.toLowerCase() === me.toLowerCase())) {
    throw new MessageRefusedError(`its terms are between others than ${me}.`)
  }
}

/** When both write at once there are two next messages, and a chain has one. */
function demandNoRival(messages: readonly SignedMessage[], { envelope }: SignedMessage, me: Address): void {
  const last = messages.at(-1)
  const isRival = last && isBy(last, me) && last.envelope.previousHash === envelope.previousHash
  if (!isRival || last.envelope.sequence !== envelope.sequence) return
  throw new MessageRefusedError(
    `you wrote message ${envelope.sequence} at the same time: one of you takes it back (svc-negotiate withdraw), the other sends again.`,
  )
}

const isBy = ({ envelope: { sender } }: SignedMessage, wallet: Address) =>
  isAddressEqual(sender.evmAddress as Address, wallet)

const fileName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/

function wellFormed(id: string): string {
  if (!fileName.test(`${id.toLowerCase()}.jsonl`)) throw new UnknownNegotiationError(id)
  return id
}

/** There is no negotiation of that id here. */
export class UnknownNegotiationError extends Error {
  override name = 'UnknownNegotiationError'

  constructor(id: string) {
    super(`There is no negotiation ${id.slice(0, 40)} here: see \`svc-negotiate list\`.`)
  }
}
