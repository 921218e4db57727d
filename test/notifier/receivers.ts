import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Receiver {
  origin: string
  received: ReceivedRequest[]
  /** Replaces what is answered. */
  answerWith: (answer: (response: ServerResponse, request: ReceivedRequest) => void) => void
  /** Waits until a request fits. */
  waitFor: (fits: (request: ReceivedRequest) => boolean) => Promise<ReceivedRequest>
  stop: () => Promise<void>
}

/** Starts an HTTP server that records requests. */
export async function startReceiver(port = 0): Promise<Receiver> {
  let answer: (response: ServerResponse, request: ReceivedRequest) => void = (response) => response.end()
  const { received, waitFor, add } = createRecord<ReceivedRequest>()
  const server = createServer(async (incoming, response) => {
    const body = await buffer(incoming)
    const request = { path: incoming.url ?? '', headers: incoming.headers, body }
    add(request)
    answer(response, request)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    waitFor,
    answerWith(given) {
      answer = given
    },
    stop: () => stopServer(server),
  }
}

async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

interface ReceivedMail {
  from: string
  to: string[]
  /** The whole message, as it came. */
  raw: string
  headers: ReadonlyMap<string, string>
  /** The plain text and the HTML, decoded. */
  text: string
  html: string
}

export interface MailServer {
  url: string
  received: ReceivedMail[]
  /** Has the server refuse recipients with a status. */
  refuseWith: (status: number | null) => void
  waitFor: (fits: (mail: ReceivedMail) => boolean) => Promise<ReceivedMail>
  stop: () => Promise<void>
}

/** Starts an SMTP server that keeps what it gets. */
export async function startMailServer(): Promise<MailServer> {
  let refusal: number | null = null
  const { received, waitFor, add } = createRecord<ReceivedMail>()
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    closeTimeout: 100,
    onRcptTo(address, _session, done) {
      if (refusal === null) return done()
      done(Object.assign(new Error(`no mailbox for ${address.address}`), { responseCode: refusal }))
    },
    async onData(stream, session, done) {
      const raw = await text(stream)
      const { mailFrom, rcptTo } = session.envelope
      add({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw,
        ...parseMail(raw),
      })
      done()
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    received,
    waitFor,
    refuseWith(status) {
      refusal = status
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Parses a message with the two alternatives that the notifier writes. */
function parseMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = parseHeaders(head)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = rest
    .join('\r\n\r\n')
    .split(`--${boundary}`)
    .flatMap((part) => {
      const [partHead = '', ...body] = part.replace(/^\r\n/, '').split('\r\n\r\n')
      const partHeaders = parseHeaders(partHead)
      const type = partHeaders.get('content-type') ?? ''
      return type ? [{ type, text: decodeBody(body.join('\r\n\r\n'), partHeaders) }] : []
    })
  const find = (type: string) => parts.find((part) => part.type.startsWith(type))?.text ?? ''
  return { headers, text: find('text/plain'), html: find('text/html') }
}

const parseHeaders = (text: string) =>
  new Map(
    text
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map(
        (line) =>
          [
            line.slice(0, line.indexOf(':')).toLowerCase(),
            decodeWords(line.slice(line.indexOf(':') + 1).trim()),
          ] as const,
      ),
  )

/** Decodes the words of a header that are written like `=?UTF-8?Q?=22a=22?=` (RFC 2047), as every mail program does. */
const decodeWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, word: string) =>
      decodeBody(word.replaceAll('_', ' '), new Map([['content-transfer-encoding', 'quoted-printable']])),
    )

function decodeBody(text: string, headers: ReadonlyMap<string, string>): string {
  const encoding = headers.get('content-transfer-encoding')
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString()
  if (encoding !== 'quoted-printable') return text
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`)))
  return Buffer.from(bytes, 'latin1').toString()
}

export interface PushService extends Receiver {
  /** What a browser would hand over. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Decrypts a message as the browser does (RFC 8291), after checking who sent it (RFC 8292). */
  open: (request: ReceivedRequest) => unknown
}

/** Starts a push service with one browser behind it. */
export async function startPushService(port = 0): Promise<PushService> {
  const receiver = await startReceiver(port)
  receiver.answerWith((response) => response.writeHead(201).end())
  const browser = createECDH('prime256v1')
  const publicKey = browser.generateKeys()
  const auth = randomBytes(16)
  return {
    ...receiver,
    subscription: {
      endpoint: `${receiver.origin}/push/${randomBytes(8).toString('hex')}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    open({ headers, body }) {
      verifyVapid(String(headers.authorization), receiver.origin)
      const salt = body.subarray(0, 16)
      const sender = body.subarray(21, 21 + (body[20] ?? 0))
      const derive = (ikm: Buffer, by: Buffer, info: Buffer, length: number) =>
        Buffer.from(hkdfSync('sha256', ikm, by, info, length))
      const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
      const ikm = derive(browser.computeSecret(sender), auth, keyInfo, 32)
      const key = derive(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = derive(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
      const sealed = body.subarray(21 + sender.length)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce)
      decipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString())
    },
  }
}

/** Checks the sender's signed token: for this service, and signed with the key that it names. */
function verifyVapid(header: string, audience: string): void {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    format: 'jwk',
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  if (!isSigned || aud !== audience || exp * 1_000 < Date.now() || !sub)
    throw new Error('The VAPID token is not valid.')
}

/** A list that can be awaited. */
function createRecord<T>() {
  const received: T[] = []
  const waiting = new Set<() => void>()
  return {
    received,
    add(entry: T) {
      received.push(entry)
      for (const look of waiting) look()
    },
    waitFor(fits: (entry: T) => boolean): Promise<T> {
      const { promise, resolve } = Promise.withResolvers<T>()
      const look = () => {
        const found = received.find(fits)
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
      return promise
    },
  }
}
