import { chmod, rm } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { SvcError } from '@svc/protocol'
import * as z from 'zod'
import { type ActResult, actResult, type Signer } from './signer.ts'

/** More than any action has: the text of a task is 8 KB. */
const maxBytes = 256 * 1_024

const request = z.object({
  action: z.string().max(40),
  input: z.record(z.string(), z.unknown()),
  calls: z
    .array(z.object({ to: z.string(), data: z.string(), value: z.string().optional() }))
    .max(8)
    .optional(),
})
const answer = z.union([actResult, z.object({ error: z.string() })])

/**
 * Serves a signer on a Unix socket that only its owner can open: one JSON line for each request and each answer. Throws SIGNER_RUNS if
 * another signer answers there.
 *
 * @example
 * ```ts
 * const { close } = await serveSigner(signer, './signer.sock')
 * ```
 */
export async function serveSigner(signer: Signer, path: string): Promise<{ close: () => Promise<void> }> {
  if (await isAnswering(path)) throw new SvcError('SIGNER_RUNS', `Another signer answers at ${path}.`)
  await rm(path, { force: true })
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    readLine(socket)
      .then((text) => signer.act(request.parse(JSON.parse(text))))
      .then(
        (result: object) => result,
        (error: unknown) => ({ error: describeFailure(error) }),
      )
      .then((result) => socket.end(`${JSON.stringify(result)}\n`))
  })
  server.maxConnections = 16
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  await chmod(path, 0o600)
  return { close: () => new Promise((resolve) => server.close(() => resolve())) }
}

/**
 * Connects to the signer at a Unix socket.
 *
 * @example
 * ```ts
 * const signer = unixSocket('./signer.sock')
 * ```
 */
export function unixSocket(path: string): Signer {
  return {
    async act(given): Promise<ActResult> {
      const socket = createConnection(path)
      socket.write(`${JSON.stringify(given)}\n`)
      const result = answer.parse(JSON.parse(await readLine(socket)))
      if ('error' in result) throw new SvcError('SIGNER_FAILED', result.error)
      return result
    },
  }
}

function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (text.length > maxBytes) socket.destroy(new Error('The line is too long.'))
      else if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new SvcError('SIGNER_GONE', 'The signer closed the connection.')))
  })
}

/** The message of a provider can hold its URL with a key. */
const describeFailure = (error: unknown) =>
  error instanceof z.ZodError
    ? `The request is not valid: ${error.issues[0]?.message}`
    : 'The signer could not act. Try again.'

const isAnswering = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })
