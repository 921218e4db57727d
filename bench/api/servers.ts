import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { deriveCode } from '@svc/simulation/chain'
import { numberToHex } from 'viem'

const api = fileURLToPath(new URL('../../apps/api/src/main.ts', import.meta.url))
const bare = fileURLToPath(new URL('./bareChild.ts', import.meta.url))

/** Serves a chain that only knows its head. The API asks for no more while the index is close to it. */
export async function serveHead({ number, hash, timestamp }: { number: bigint; hash: string; timestamp: number }) {
  const block = { number: numberToHex(number), hash, timestamp: numberToHex(timestamp), transactions: [] }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method, params } = JSON.parse(text)
    const results: Readonly<Record<string, unknown>> = {
      eth_chainId: numberToHex(8453),
      eth_getCode: deriveCode(String(params[0])),
    }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? block }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** A process that listens. */
export interface Program {
  url: string
  stop: () => Promise<void>
}

/** Starts the API as operators do, with its log in a file, and waits until it answers. */
export function startBenchApi(folder: string, name: string, env: Readonly<Record<string, string>>): Promise<Program> {
  const log = openSync(join(folder, `${name}.log`), 'w')
  return start(env.SVC_SITE_PORT ?? '', () =>
    spawn(process.execPath, [api], { env, stdio: ['ignore', log, 'inherit'] }),
  )
}

/** Starts a server that only sends the bytes of a file. */
export function startBare(kind: 'hono' | 'http', port: number, file: string): Promise<Program> {
  return start(String(port), () =>
    spawn(process.execPath, [bare, kind, String(port), file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    }),
  )
}

async function start(port: string, begin: () => ChildProcess): Promise<Program> {
  const child = begin()
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    const answered = await fetch(`${url}/api/market/open?limit=100`).then(
      async (response) => response.ok && (await response.arrayBuffer()).byteLength > 0,
      () => false,
    )
    if (answered) break
    if (tries > 200 || child.exitCode !== null) throw new Error(`Nothing answers at ${url}.`)
    await wait(50)
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), 12_000)
      await ended
      clearTimeout(force)
    },
  }
}
