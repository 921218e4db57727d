import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Work } from '../../test/work.ts'
import { type Attack, createAttacks } from '../../test/workAttacks.ts'
import * as work from '../../test/workModules.ts'

// A copy of the sources is made in which each check can be left out, one at a time. Without it, the copy must accept an
// attack, or refuse it for another reason: a check that nobody would miss is not tested, or not needed.

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
const call = /^ +assertWork\(\s*(.*)/gm
const checks = await listChecks()
let copy: string
let faulty: Work
let attacks: Attack[]

declare global {
  var skippedCheck: number | null
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'work-faults-'))
  faulty = await importWithFaults()
  attacks = await createAttacks()
})

afterAll(() => rm(copy, { recursive: true, force: true }))

test('every attack is refused', async () => {
  for (const attack of attacks) expect(await isRefused(attack, work), attack.name).toBe(true)
})

test('there are checks to leave out, and the copy with all of them refuses every attack', async () => {
  expect(checks.length).toBeGreaterThanOrEqual(30)
  expect(await findSuccess(null)).toBeUndefined()
})

test.each(checks)('without the check of $file, an attack succeeds: $text', async ({ number }) => {
  expect(await findSuccess(number)).toBeDefined()
})

async function findSuccess(number: number | null): Promise<string | undefined> {
  globalThis.skippedCheck = number
  for (const attack of attacks) if (!(await isRefused(attack, faulty))) return attack.name
  return undefined
}

async function isRefused({ code, message, act }: Attack, functions: Work): Promise<boolean> {
  try {
    await act(functions)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === code && message.test(error.message)
  }
}

async function listChecks() {
  const folder = join(packageFolder, 'src/work')
  const files = (await readdir(folder)).filter((file) => /^\w+\.ts$/.test(file))
  const sources = await Promise.all(
    files.map(async (file) => ({ file, source: await readFile(join(folder, file), 'utf8') })),
  )
  return sources
    .flatMap(({ file, source }) => [...source.matchAll(call)].map(({ 1: text }) => ({ file, text })))
    .map((check, number) => ({ ...check, number }))
}

/** Imports a copy of the package whose checks look at `skippedCheck`. Only this folder is copied; the rest is linked. */
async function importWithFaults(): Promise<Work> {
  await symlink(join(packageFolder, 'node_modules'), join(copy, 'node_modules'))
  await cp(join(packageFolder, 'package.json'), join(copy, 'package.json'))
  await cp(join(packageFolder, 'src/work'), join(copy, 'src/work'), { recursive: true })
  for (const each of await readdir(join(packageFolder, 'src'))) {
    if (each !== 'work') await symlink(join(packageFolder, 'src', each), join(copy, 'src', each))
  }
  await cp(join(packageFolder, 'test/workModules.ts'), join(copy, 'test/workModules.ts'))
  let number = 0
  for (const file of new Set(checks.map((check) => check.file))) {
    const path = join(copy, 'src/work', file)
    const source = await readFile(path, 'utf8')
    const numbered = source.replace(call, (text) =>
      text.replace('assertWork(', () => `assertUnlessSkipped(${number++}, `),
    )
    await writeFile(path, numbered + assertUnlessSkipped)
  }
  return import(join(copy, 'test/workModules.ts'))
}

const assertUnlessSkipped = `
function assertUnlessSkipped(number, ...check) {
  if (number !== globalThis.skippedCheck) assertWork(...check)
}
`
