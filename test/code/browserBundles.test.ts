import { fileURLToPath } from 'node:url'
import { apiEndpoints, gatewayEndpoints, notifyEndpoints, storeEndpoints } from '@svc/operations'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Lists the modules of our own and the packages that a browser would load for an entry file, with the size. */
async function bundleForBrowser(entry: string) {
  const bundle = await rolldown({
    input: `${root}${entry}`,
    platform: 'browser',
    logLevel: 'silent',
    // Vite handles styles and the build's own modules.
    external: /\.css$|^virtual:/,
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  const ids = output.flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []))
  const modules = ids.map((id) => id.replace(root, '').replace(/^.*node_modules\/((?:@[^/]+\/)?[^/]+)\/.*/, '$1'))
  return { modules: [...new Set(modules)].sort(), bytes: Buffer.byteLength(output[0].code) }
}

test('the client is a few small files: no schema, no server code', async () => {
  const { modules, bytes } = await bundleForBrowser('packages/client/src/index.ts')
  expect(modules).toEqual([
    'eventsource-parser',
    'packages/client/src/activeRequests.ts',
    'packages/client/src/client.ts',
    'packages/client/src/followEvents.ts',
    'packages/client/src/index.ts',
    'packages/client/src/streamMessages.ts',
    'packages/operations/src/endpoints.ts',
    'packages/operations/src/streamLimits.ts',
    'packages/protocol/src/base/retryAfter.ts',
  ])
  // A new endpoint adds its name and its path. The parser of event streams is 3.5 kB.
  const endpoints = [apiEndpoints, gatewayEndpoints, storeEndpoints, notifyEndpoints].flatMap(Object.keys)
  expect((bytes - 3_500) / endpoints.length).toBeLessThan(75)
})

test('the site loads no server code', async () => {
  const { modules } = await bundleForBrowser('apps/site/src/start.tsx')
  const isServer =
    /^(?:apps\/(?!site)|packages\/(?:serve|reads|chain|index|devnet)\/)|^(?:hono|@hono\/.*|postgres|pino|prom-client)$/
  expect(modules.filter((id) => isServer.test(id))).toEqual([])
  expect(modules).toContain('packages/operations/src/endpoints.ts')
})
