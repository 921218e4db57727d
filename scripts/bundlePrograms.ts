// node scripts/bundlePrograms.ts <folder>: bundles what tests start as processes, so that a start loads a few files instead of
// hundreds. `.ci/run` calls it; tests find the bundles through SVC_TEST_PROGRAMS, and start the sources without it.
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { nameBundle } from '../test/harness/programs.ts'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder for the bundles.')
const root = fileURLToPath(new URL('../', import.meta.url))
const patterns = ['apps/*/src/main.ts', 'apps/admin/src/watch/main.ts', 'apps/tools/src/{svc-*,send-proposal}.ts']
const programs = globSync(patterns, { cwd: root, exclude: ['apps/site/**'] })

/** Sources read files beside themselves, so each keeps its own URL. */
const ownUrls: Plugin = {
  name: 'own-urls',
  transform: (code, id) =>
    id.endsWith('.ts') && code.includes('import.meta.url')
      ? { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null }
      : null,
}

await rm(folder, { recursive: true, force: true })
const bundle = await rolldown({
  input: Object.fromEntries(programs.map((path) => [nameBundle(path), join(root, path)])),
  platform: 'node',
  // Native code, or loaded only if it is installed.
  external: [/^@svc\/transport-xmtp$/, /^@xmtp\//, 'pg-native', 'solc'],
  plugins: [ownUrls],
  logLevel: 'warn',
})
await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
await bundle.close()
