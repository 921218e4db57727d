import { connect } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'

/** A connection to Postgres that forwards nothing by itself, except the startup messages. */
export interface HeldConnection {
  /** The client's end. */
  socket: Duplex
  /** The process id of the Postgres backend. */
  pid: () => number
  /** Sends the first waiting statement. Resolves when Postgres has answered or closed the connection; the answer is held. */
  run: () => Promise<void>
  /** Whether an answer is being held. */
  answered: () => boolean
  /** Passes the held answer to the client. */
  deliver: () => void
  /** Closes the client's end, with the last error of Postgres or without. */
  close: (withError: boolean) => Promise<void>
  /** Resolves when Postgres has closed the connection, which is the last thing a backend does. */
  closed: Promise<void>
  isClosed: () => boolean
}

/** Opens a connection that holds every statement and its answer until released. `onStatement` is called for each. */
export function openHeldConnection(
  url: string,
  onStatement: (connection: HeldConnection, text: string) => void,
): HeldConnection {
  const { port, hostname } = new URL(url)
  const upstream = connect({ port: Number(port), host: hostname, noDelay: true })
  // `close` follows every error and handles it.
  upstream.on('error', () => {})
  // In memory, so that a client receives everything within a few turns of the event loop, on any machine.
  const [client, socket] = duplexPair()
  let [pid, ready, running, isHolding] = [0, false, false, false]
  let batch: Buffer[] = []
  let heldAnswer: Buffer[] = []
  let settle = () => {}
  const waiting: Buffer[][] = []
  const texts = new Map<string, string>()
  const gone = new Promise<void>((done) => upstream.once('close', () => done()))

  const send = (messages: readonly Buffer[]) => {
    // A batch that ends in Flush is the first half of a statement: the client needs its answer to continue.
    isHolding = messages.at(-1)?.[0] !== code.H
    upstream.write(Buffer.concat(messages))
  }
  const connection: HeldConnection = {
    socket: Object.assign(socket, { readyState: 'open' }),
    pid: () => pid,
    run: () =>
      new Promise((done) => {
        running = true
        settle = done
        gone.then(done)
        send(waiting.shift() ?? [])
      }),
    answered: () => !running && heldAnswer.length > 0,
    deliver() {
      client.write(Buffer.concat(heldAnswer))
      heldAnswer = []
    },
    async close(withError) {
      client.off('data', fromClient).resume()
      const last = heldAnswer.at(-1)
      if (withError && last?.[0] === code.E) client.write(last)
      await yieldTurns(4)
      socket.destroy()
      client.destroy()
      upstream.destroy()
    },
    closed: gone,
    isClosed: () => upstream.closed,
  }

  const fromClient = createFrameParser((type, frame) => {
    // Terminate: the client ends the connection.
    if (type === code.X) return void upstream.end(frame)
    // The startup message has no type.
    if (type === 0) return void upstream.write(frame.subarray(1))
    batch.push(frame)
    if (type === code.P) texts.set(stringAt(frame, 0), stringAt(frame, 1))
    if (type !== code.Q && type !== code.S && type !== code.H) return
    const messages = batch
    batch = []
    const isSecondHalf = running && !isHolding
    if (isSecondHalf) return send(messages)
    waiting.push(messages)
    onStatement(connection, readSql(messages, texts))
  })
  fromClient(Buffer.of(0))

  const fromPostgres = createFrameParser((type, frame) => {
    if (type === code.K) pid = frame.readInt32BE(5)
    // An unsolicited message of Postgres is its last one.
    if (ready && (!running || isHolding)) heldAnswer.push(frame)
    else client.write(frame)
    if (type !== code.Z) return
    ready = true
    running = false
    settle()
  })
  client.on('data', fromClient)
  upstream.on('data', fromPostgres)
  return connection
}

/** Yields to the event loop `count` times. */
export async function yieldTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((done) => setImmediate(done))
}

/** The relevant message types: Query, Parse, Sync, Flush, Terminate; BackendKeyData, ReadyForQuery, ErrorResponse. */
const code = { Q: 81, P: 80, S: 83, H: 72, X: 88, K: 75, Z: 90, E: 69 } as const

/** Splits a stream into messages: type, length, body. */
function createFrameParser(onFrame: (type: number, frame: Buffer) => void): (data: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data])
    for (let size = frameSize(rest); size <= rest.length; size = frameSize(rest)) {
      const frame = rest.subarray(0, size)
      rest = rest.subarray(size)
      onFrame(frame[0] ?? 0, frame)
    }
  }
}

const frameSize = (data: Buffer): number => (data.length < 5 ? Number.POSITIVE_INFINITY : 1 + data.readUInt32BE(1))

/** The n-th zero-terminated string of a message. */
const stringAt = (frame: Buffer, index: number): string => frame.toString('utf8', 5).split('\0', index + 1)[index] ?? ''

/** The SQL of a batch, also if it was prepared earlier. */
function readSql(batch: readonly Buffer[], texts: ReadonlyMap<string, string>): string {
  const [first] = batch
  if (!first) return ''
  if (first[0] === code.Q) return stringAt(first, 0)
  return first[0] === code.P ? stringAt(first, 1) : (texts.get(stringAt(first, 1)) ?? '')
}
