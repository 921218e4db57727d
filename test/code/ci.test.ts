import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

type Outcome = 'passed' | 'failed'

test('a failure counts unless the same test passed when its file ran again', () => {
  const first = buildReport({ 'a.test.ts': { one: 'failed', two: 'passed' }, 'b.test.ts': { three: 'failed' } })
  const again = buildReport({ 'a.test.ts': { one: 'passed', two: 'passed' }, 'b.test.ts': { three: 'failed' } })
  expect(sumUp({ 'system.json': first, 'system.again.json': again, 'system.failed-step': '' })).toEqual({
    status: 1,
    flaky: ['a.test.ts > one'],
    failed: ['b.test.ts > three'],
    sum: '2 passed, 1 failed',
  })
  const fixed = buildReport({ 'a.test.ts': { one: 'passed' }, 'b.test.ts': { three: 'passed' } })
  expect(sumUp({ 'system.json': first, 'system.again.json': fixed })).toMatchObject({
    status: 0,
    flaky: ['a.test.ts > one', 'b.test.ts > three'],
    sum: '3 passed, 0 failed',
  })
})

test('another test that passed, another file, or no second run excuse nothing', () => {
  const first = buildReport({ 'a.test.ts': { one: 'failed' } })
  for (const again of [{}, { 'a.test.ts': { two: 'passed' } }, { 'b.test.ts': { one: 'passed' } }] as const)
    expect(sumUp({ 'unit.json': first, 'unit.again.json': buildReport(again) })).toMatchObject({
      status: 1,
      sum: '0 passed, 1 failed',
    })
  expect(sumUp({ 'unit.json': first, 'unit.failed-step': '' })).toMatchObject({ sum: '0 passed, 1 failed' })
})

test('a file that could not run is excused only when it passed; a step without tests counts once', () => {
  const broken = buildReport({ 'a.test.ts': {} })
  const files = { 'unit.json': broken, 'check.failed-step': '', 'whole.json': JSON.stringify({ passed: 7, failed: 0 }) }
  expect(sumUp({ ...files, 'unit.failed-step': '' })).toMatchObject({ status: 1, sum: '7 passed, 2 failed' })
  const again = buildReport({ 'a.test.ts': { one: 'passed' } })
  expect(sumUp({ ...files, 'unit.again.json': again })).toMatchObject({ status: 1, sum: '8 passed, 1 failed' })
})

test('at most three files run again', () => {
  const files = Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.test.ts`, { one: 'failed' as Outcome }]))
  expect(listFilesToRunAgain({ ...files, 'ok.test.ts': { one: 'passed' } })).toEqual(Object.keys(files))
  expect(listFilesToRunAgain({ ...files, 'd.test.ts': { one: 'failed' } })).toEqual([])
})

test('the head of .ci/run and the GitHub workflow name exactly the steps of a usual run', () => {
  const script = readFileSync('.ci/run', 'utf8')
  const usual = script.slice(script.indexOf('\nrun_contracts() {'), script.indexOf('\nrun_deep() {'))
  const steps = [...usual.matchAll(/\b(?:ci|counted|vitest) ([a-z]+) /g)].map(([, name]) => name).sort()
  const [, named = ''] = /only these: ([a-z ]+)/.exec(script) ?? []
  expect(named.split(' ').sort()).toEqual(steps)

  const job = z.object({
    steps: z.array(z.object({ run: z.string().optional() })),
    strategy: z.object({ matrix: z.object({ suite: z.array(z.string()).optional() }) }).optional(),
  })
  const { jobs } = z
    .object({ jobs: z.record(z.string(), job) })
    .parse(parse(readFileSync('.github/workflows/ci.yml', 'utf8')))
  const run = Object.values(jobs).flatMap((each) => {
    const args = each.steps.flatMap((step) => step.run?.match(/^bash \.ci\/run (.*)$/)?.[1]?.split(' ') ?? [])
    const plain = args.filter((word) => /^[a-z]+$/.test(word))
    return [...plain, ...(each.strategy?.matrix.suite ?? [])]
  })
  expect(run.sort()).toEqual(steps)
})

function buildReport(files: Record<string, Record<string, Outcome>>): string {
  const testResults = Object.entries(files).map(([name, tests]) => {
    const passed = Object.values(tests).length > 0 && !Object.values(tests).includes('failed')
    return {
      name: join(process.cwd(), name),
      status: passed ? 'passed' : 'failed',
      message: 'It broke.',
      assertionResults: Object.entries(tests).map(([fullName, status]) => ({
        fullName,
        status,
        failureMessages: ['It broke.'],
      })),
    }
  })
  const count = (status: Outcome) =>
    testResults.flatMap((file) => file.assertionResults).filter((result) => result.status === status).length
  return JSON.stringify({ numPassedTests: count('passed'), numFailedTests: count('failed'), testResults })
}

function sumUp(files: Record<string, string>) {
  const { status, stdout } = spawnSync(process.execPath, ['.ci/sum.mjs', writeFolder(files)], { encoding: 'utf8' })
  const listUnder = (heading: string) => {
    const part = stdout.split('\n\n').find((text) => text.trimStart().startsWith(`${heading}: `)) ?? ''
    return [...part.matchAll(/^ {2}(.+): It broke\.$/gm)].map(([, title]) => title)
  }
  return { status, flaky: listUnder('flaky'), failed: listUnder('failed'), sum: stdout.trimEnd().split('\n').at(-1) }
}

function listFilesToRunAgain(files: Record<string, Record<string, Outcome>>): string[] {
  const report = join(writeFolder({ 'unit.json': buildReport(files) }), 'unit.json')
  const output = execFileSync(process.execPath, ['.ci/sum.mjs', '--failed-files', report], { encoding: 'utf8' })
  return output.split('\n').filter((line) => line !== '')
}

function writeFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ci-sum-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
