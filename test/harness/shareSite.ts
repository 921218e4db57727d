import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { buildSite } from './buildSite.ts'
import { sharedSite } from './env.ts'

const siteRequest = z.object({
  deployments: z.unknown(),
  options: z.record(z.templateLiteral(['SVC_SITE_', z.string()]), z.string()),
})

/**
 * Vitest calls this before a run, and the returned function after it. Each build of the site is made at most once per run, when
 * the first test requests it; the answer is its folder. Nothing is stored between runs, so it is never stale.
 */
export default async function shareSite(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'sites-'))
  const builds = new Map<string, Promise<string>>()
  async function build(request: string): Promise<string> {
    const { deployments, options } = siteRequest.parse(JSON.parse(request))
    const own = join(folder, createHash('sha256').update(request).digest('hex'))
    await writeFile(`${own}.json`, JSON.stringify(deployments))
    await buildSite(`${own}.json`, own, options)
    return own
  }
  const server = createServer(async (request, response) => {
    const wanted = await text(request)
    const built = builds.get(wanted) ?? build(wanted)
    builds.set(wanted, built)
    await built.then(
      (answer) => response.end(answer),
      (error) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  sharedSite.set(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true, force: true })
  }
}
