import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { saveWorld } from '@svc/devnet'
import { compileCache, sharedWorld } from './env.ts'

/**
 * Vitest calls this before a run, and the returned function after it. The demo world is built at most once per run, when the
 * first test requests it; the answer is its folder. Nothing is stored between runs, so it is never stale. Only what
 * Node compiles is: its cache compares the sources.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  compileCache.setDefault(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
  let saved: Promise<void> | undefined
  const server = createServer(async (_, response) => {
    saved ??= saveWorld(folder)
    await saved.then(
      () => response.end(folder),
      (error) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  sharedWorld.set(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
  }
}
