import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningContext, type Deployments } from '@svc/chain'
import { SvcError, toSigningContext } from '@svc/protocol'
import { type ChainEnd, countKept, maxMessages } from '@svc/protocol/internal/negotiation'
import {
  applyMessage,
  BrokenTranscriptError,
  formatMessageLine,
  MessageRefusedError,
  type Negotiation,
  parseMessageLine,
  type SignedMessage,
  startChain,
  type VerifySignature,
} from '@svc/protocol/negotiation'
import { type Address, isAddressEqual } from 'viem'
import { withFileLock } from './fileLock.ts'
import {
  appendTranscriptLine,
  maxTranscriptBytes,
  readTranscriptLines,
  removeTranscriptLine,
} from './transcriptFile.ts'

/** A negotiation as stored in its file, with every signature and rule verified. */
export interface Transcript {
  messages: readonly SignedMessage[]
  state: Negotiation
}

/** All negotiations of one wallet, one file each. */
export interface TranscriptStore {
  /** Lists the ids, sorted. */
  list: () => Promise<string[]>
  /** Throws `UnknownNegotiationError`, or `BrokenTranscriptError` for a file that was changed. */
  read: (id: string) => Promise<Transcript>
  /** Appends an own message. `compose` gets the current state. Without an id, a new negotiation starts. */
  append: (
    id: string | null,
    compose: (state: Negotiation | null, end: ChainEnd) => Promise<SignedMessage>,
  ) => Promise<Transcript>
  /**
   * Appends a message that arrived for `me`, unless it is already stored. If both sides wrote at the same time, the rule of the
   * protocol decides, and the messages that do not stand are moved to a file next to the transcript. `from` is the sender that
   * the transport knows. `only` rejects all other senders. Throws `MessageRefusedError` and leaves the file unchanged if the
   * message is rejected.
   */
  receive: (
    text: string,
    to: ReceiveOptions,
  ) => Promise<Transcript & { known: boolean; dropped: readonly SignedMessage[] }>
}

export interface ReceiveOptions {
  me: Address
  from?: readonly Address[] | undefined
  only?: Address | undefined
  /** The party that `me` supervises: it forwards what was said before it linked its supervisor. */
  supervises?: Address | undefined
}

export interface TranscriptStoreOptions {
  folder: string
  /** The markets of the negotiations. Terms for others are rejected. */
  deployments: Deployments
  verifySignature?: VerifySignature | undefined
  /** The domains whose sign-ins count for messages that a device key signed. */
  domains?: readonly string[] | undefined
}

interface Loaded {
  lines: readonly string[]
  /** The end of the last complete line. */
  end: number
  messages: readonly SignedMessage[]
  state: Negotiation | null
}

/** The maximum number of negotiations. It is limited because anyone can start one. */
const maxNegotiations = 1_000

/** Creates a store in a folder. Only one process writes at a time, and readers see only complete messages. */
export function createTranscriptStore({
  folder,
  deployments,
  verifySignature,
  domains,
}: TranscriptStoreOptions): TranscriptStore {
  const options = { chainId: deployments.chainId, verifySignature, domains }
  const toPath = (id: string) => join(folder, `${id.toLowerCase()}.jsonl`)

  /** The file that was read last. Lines that did not change are not verified again. */
  let checked: Loaded & { id: string } = { id: '', lines: [], end: 0, messages: [], state: null }
  const load = async (id: string): Promise<Loaded> => {
    const { lines, end } = await readTranscriptLines(toPath(id))
    const isSame = id === checked.id && checked.lines.every((line, index) => line === lines[index])
    const messages = isSame ? [...checked.messages] : []
    let state = isSame ? checked.state : null
    for (const line of lines.slice(messages.length)) {
      try {
        const message = parseMessageLine(line)
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
  const withLock = async <T>(work: () => Promise<T>) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return withFileLock(join(folder, '.lock'), work)
  }
  /** Verifies a message against the transcript and appends it. */
  const add = async (id: string, before: Loaded, message: SignedMessage) => {
    const state = await applyMessage(before.state, message, options)
    if (!before.state) {
      assertOurMarket(state, deployments)
      if ((await list()).length >= maxNegotiations) {
        throw new MessageRefusedError(
          `the limit of ${maxNegotiations} negotiations is reached. Move old ones out of ${folder}.`,
        )
      }
    }
    const line = formatMessageLine(message)
    if (before.end + Buffer.byteLength(line) + 1 > maxTranscriptBytes) {
      throw new MessageRefusedError(`the transcript would be larger than ${maxTranscriptBytes} bytes.`)
    }
    await appendTranscriptLine(toPath(id), before.end, line)
    return { messages: [...before.messages, message], state }
  }

  return {
    list,
    async read(id) {
      const { messages, state } = await load(assertNegotiationId(id))
      if (!state) throw new UnknownNegotiationError(id)
      return { messages, state }
    },
    append: (id, compose) =>
      withLock(async () => {
        const known = assertNegotiationId(id ?? crypto.randomUUID())
        const before = await load(known)
        if (id !== null && !before.state) throw new UnknownNegotiationError(id)
        const end = before.state ?? startChain(known)
        if (end.length >= maxMessages)
          throw new MessageRefusedError(`a negotiation can have at most ${maxMessages} messages.`)
        return add(known, before, await compose(before.state, end))
      }),
    receive: async (text, { me, from, only, supervises }) => {
      const message = parseMessageLine(text)
      const { negotiationId } = message.envelope
      const isForwarded = supervises && from?.some((wallet) => isAddressEqual(wallet, supervises))
      if (from && !isForwarded && !from.some((wallet) => isSentBy(message, wallet))) {
        throw new MessageRefusedError('it was sent by a wallet other than the sender it names.')
      }
      if (only && !isSentBy(message, only)) throw new MessageRefusedError(`it is not from ${only}.`)
      return withLock(async () => {
        const before = await load(negotiationId)
        const { messages, state } = before
        if (state && before.lines.includes(text)) return { messages, state, known: true, dropped: [] }
        if (!state) assertAddressedTo(message, supervises ?? me)
        const dropped = messages.slice(await countKept(messages, message, options))
        const rest = dropped.length > 0 ? await drop(negotiationId, before, dropped.length) : before
        return { ...(await add(negotiationId, rest, message)), known: false, dropped }
      })
    },
  }

  /** Moves the last messages to a file next to the transcript, the last one first. */
  async function drop(id: string, { lines }: Loaded, count: number): Promise<Loaded> {
    for (const line of lines.slice(-count).reverse()) {
      const { end } = await readTranscriptLines(toPath(id))
      await removeTranscriptLine(toPath(id), end - Buffer.byteLength(line) - 1, line)
    }
    return load(id)
  }
}

/** Rejects terms for a registry or token that only looks like the right one. */
function assertOurMarket({ terms }: Negotiation, deployments: Deployments): void {
  const [said, ours] = [toSigningContext(terms), createSigningContext(deployments, terms.market)]
  for (const field of ['taskRegistry', 'asset'] as const) {
    if (isAddressEqual(said[field], ours[field])) continue
    throw new MessageRefusedError(`its ${field} is ${said[field]}, but the ${terms.market} market has ${ours[field]}.`)
  }
}

function assertAddressedTo({ envelope: { type, payload } }: SignedMessage, me: Address): void {
  if (type !== 'TaskProposal') {
    throw new MessageRefusedError(`this negotiation is unknown here, and it cannot start with ${type}.`)
  }
  const { poster, worker } = payload.terms
  if (![poster, worker].some((party) => party?.toLowerCase() === me.toLowerCase())) {
    throw new MessageRefusedError(`its terms do not name ${me}.`)
  }
}

const isSentBy = ({ envelope: { sender } }: SignedMessage, wallet: Address) =>
  isAddressEqual(sender.evmAddress as Address, wallet)

const fileName = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl$/

function assertNegotiationId(id: string): string {
  if (!fileName.test(`${id.toLowerCase()}.jsonl`)) throw new UnknownNegotiationError(id)
  return id
}

/** Thrown for an id that is not in the store. */
export class UnknownNegotiationError extends SvcError {
  override name = 'UnknownNegotiationError'

  constructor(id: string) {
    super(
      'UNKNOWN_NEGOTIATION',
      `Negotiation ${id.slice(0, 40)} does not exist here. Run \`svc-negotiate list\` to see all ids.`,
    )
  }
}
