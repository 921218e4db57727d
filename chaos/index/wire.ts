import { connect } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'

/** One connection to Postgres. Nothing passes by itself but its beginning. */
export interface Line {
  /** The client's end. */
  socket: Duplex
  /** The process of Postgres at the other end. */
  pid: () => number
  /** Sends the first statement that waits. Settles when Postgres has answered, or is gone; the answer is kept back. */
  run: () => Promise<void>
  /** Whether there is an answer that is kept back. */
  answered: () => boolean
  /** Hands over the answer that was kept back. */
  deliver: () => void
  /** Closes it for the client, with the last words of Postgres or without any. */
  hangUp: (told: boolean) => Promise<void>
  /** Settles when Postgres has closed it, which is the last thing its process does. */
  gone: Promise<void>
  isGone: () => boolean
}

/** A connection that holds every statement, and its answer, until it is told to let them go; `onStatement` hears of each. */
export function openLine(url: string, onStatement: (line: Line, text: string) => void): Line {
  const { port, hostname } = new URL(url)
  const upstream = connect({ port: Number(port), host: hostname, noDelay: true })
  // An error is followed by `close`, which is where it is dealt with.
  upstream.on('error', () => {})
  // In memory, so that a client has heard all that it was told after some turns of the event loop, on any machine.
  const [client, socket] = duplexPair()
  let [pid, ready, running, keeping] = [0, false, false, false]
  let batch: Buffer[] = []
  let kept: Buffer[] = []
  let settle = () => {}
  const waiting: Buffer[][] = []
  const texts = new Map<string, string>()
  const gone = new Promise<void>((done) => upstream.once('close', () => done()))

  const send = (messages: readonly Buffer[]) => {
    // What ends in Flush is only the first half of a statement: the client needs its answer to go on.
    keeping = messages.at(-1)?.[0] !== code.H
    upstream.write(Buffer.concat(messages))
  }
  const line: Line = {
    socket: Object.assign(socket, { readyState: 'open' }),
    pid: () => pid,
    run: () =>
      new Promise((done) => {
        running = true
        settle = done
        gone.then(done)
        send(waiting.shift() ?? [])
      }),
    answered: () => !running && kept.length > 0,
    deliver() {
      client.write(Buffer.concat(kept))
      kept = []
    },
    async hangUp(told) {
      client.off('data', fromClient).resume()
      const last = kept.at(-1)
      if (told && last?.[0] === code.E) client.write(last)
      await turns(4)
      socket.destroy()
      client.destroy()
      upstream.destroy()
    },
    gone,
    isGone: () => upstream.closed,
  }

  const fromClient = framesOf((type, frame) => {
    // A process that ends says so.
    if (type === code.X) return void upstream.end(frame)
    // The first message has no type.
    if (type === 0) return void upstream.write(frame.subarray(1))
    batch.push(frame)
    if (type === code.P) texts.set(wordAt(frame, 0), wordAt(frame, 1))
    if (type !== code.Q && type !== code.S && type !== code.H) return
    const messages = batch
    batch = []
    const isSecondHalf = running && !keeping
    if (isSecondHalf) return send(messages)
    waiting.push(messages)
    onStatement(line, textOf(messages, texts))
  })
  fromClient(Buffer.of(0))

  const fromPostgres = framesOf((type, frame) => {
    if (type === code.K) pid = frame.readInt32BE(5)
    // Words of Postgres that nothing was asked for are its last.
    if (ready && (!running || keeping)) kept.push(frame)
    else client.write(frame)
    if (type !== code.Z) return
    ready = true
    running = false
    settle()
  })
  client.on('data', fromClient)
  upstream.on('data', fromPostgres)
  return line
}

/** Lets everything else run that needs no more than the event loop. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((done) => setImmediate(done))
}

/** The types of messages that matter: Query, Parse, Sync, Flush, Terminate; BackendKeyData, ReadyForQuery, ErrorResponse. */
const code = { Q: 81, P: 80, S: 83, H: 72, X: 88, K: 75, Z: 90, E: 69 } as const

/** Cuts a stream into messages: a type, a length, a body. */
function framesOf(onFrame: (type: number, frame: Buffer) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data])
    for (let size = sizeOf(rest); size <= rest.length; size = sizeOf(rest)) {
      const frame = rest.subarray(0, size)
      rest = rest.subarray(size)
      onFrame(frame[0] ?? 0, frame)
    }
  }
}

const sizeOf = (data: Buffer): number => (data.length < 5 ? Number.POSITIVE_INFINITY : 1 + data.readUInt32BE(1))

/** The n-th word of a message's body that ends in zero. */
const wordAt = (frame: Buffer, index: number): string => frame.toString('utf8', 5).split('\0', index + 1)[index] ?? ''

/** The SQL of a batch of messages, also where it was prepared before. */
function textOf(batch: readonly Buffer[], texts: ReadonlyMap<string, string>): string {
  const [first] = batch
  if (!first) return ''
  if (first[0] === code.Q) return wordAt(first, 0)
  return first[0] === code.P ? wordAt(first, 1) : (texts.get(wordAt(first, 1)) ?? '')
}
