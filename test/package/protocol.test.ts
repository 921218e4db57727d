import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, expect, test, vi } from 'vitest'
import manifest from '../../packages/protocol/package.json' with { type: 'json' }
import { pack } from './packed.ts'

const run = promisify(execFile)
// Each of them starts a program or a compiler.
vi.setConfig({ testTimeout: 60_000 })
const dir = await mkdtemp(join(tmpdir(), 'protocol-'))
afterAll(() => rm(dir, { recursive: true }))
const packed = await pack('packages/protocol', dir)

/** The published entry points that are code, with their sources. */
const entries = Object.entries(manifest.exports).filter(
  // Internal entries are ours alone: other packages take single names of them.
  ([entry, source]) => entry in manifest.publishConfig.exports && source.endsWith('.ts'),
)
const importName = (entry: string) => join(manifest.name, entry)

test('the exports of the manifest can be imported', async () => {
  const { messages } = await publint({ pack: { tarball: packed.tarball }, strict: true })
  expect(messages).toEqual([])
})

test('its types resolve for ES modules', async () => {
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(packed.tarball)))
  if (!result.types) throw new Error('The package has no types.')
  // ES modules only: require() and the resolution before `exports` are not served.
  const served = result.problems.filter(
    (problem) => !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
  )
  expect(served).toEqual([])
  expect(Object.keys(result.entrypoints)).toEqual(expect.arrayContaining(entries.map(([entry]) => entry)))
})

test.each(entries)('%s has the same names when built', async (entry, source) => {
  const sources = await import(join('../../packages/protocol', source))
  const program = `console.log(JSON.stringify(Object.keys(await import('${importName(entry)}'))))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: packed.consumer })
  expect(JSON.parse(stdout).sort()).toEqual(Object.keys(sources).sort())
})

/** The most that all of an entry point may weigh in a browser, in bytes. */
const limits: Record<string, number> = {
  // With the form of tags, which is part of a task's text, and what is known of each chain.
  '.': 69_000,
  './abis': 34_000,
  // Every action with its calls, how a permit replaces an approval, and the files of a brief.
  './actions': 103_500,
  // Its messages state the lifecycle's rules, so it contains that table.
  './errors': 36_000,
  './fold': 50_000,
  './lifecycle': 25_500,
  // With the key statements of devices, which may sign messages.
  './negotiation': 76_000,
  // A message names its task by the title, so it reads a task's text, files of the brief included.
  './notifications': 64_500,
  './profile': 41_000,
  './records': 3_000,
  // Mostly age, which nothing else imports: load it when it is needed.
  // Threads, and age to seal them.
  './talk': 220_000,
  './work': 206_000,
}

test.each(entries)('%s stays small in a browser', async (entry) => {
  const size = await bundled(`export * from '${importName(entry)}'`)
  console.log(`${importName(entry)}: ${size} bytes`)
  expect(size).toBeLessThan(limits[entry] ?? 0)
})

test('a bundle contains only what is used', async () => {
  expect(await bundled(`export { formatTaskId } from '${manifest.name}'`)).toBeLessThan(3_000)
  expect(await bundled(entries.map(([entry]) => `import '${importName(entry)}'`).join('\n'))).toBeLessThan(50)
})

/** The size of a minified browser bundle with zod in it and viem outside. */
async function bundled(program: string): Promise<number> {
  const input = join(packed.consumer, 'program.mjs')
  await writeFile(input, program)
  const bundle = await rolldown({ input, platform: 'browser', external: /^viem(?:\/|$)/ })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return Buffer.byteLength(output[0].code)
}
