import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { negotiateCommands } from '../../apps/tools/src/negotiate/commands.ts'
import { negotiateVariables } from '../../apps/tools/src/negotiate/env.ts'
import { compileCache } from '../harness/env.ts'
import { exampleEnv } from '../harness/exampleEnv.ts'
import { findProgram } from '../harness/programs.ts'
import { draftFor, openPair, type Pair } from './pair.ts'
import { runProgram } from './runProgram.ts'
import { createTestWallet } from './wallet.ts'

let pair: Pair
let places: Record<string, string>
beforeAll(async () => {
  pair = await openPair()
  places = { ...compileCache.env(), SVC_DEPLOYMENTS: join(pair.folder, 'deployments.json') }
})
afterAll(() => pair?.close())

test('help lists every command with its options, and the exit codes', async () => {
  const { exit, out } = await runProgram('svc-negotiate', ['--help'])
  expect(exit).toBe(0)
  for (const { name, args = '' } of negotiateCommands) expect(out).toContain(`${name} [options] ${args}`.trim())
  expect(out).toMatch(/Exit codes: 0 .* 2 .* 3 .* 4 .* 5 /)
  for (const { name, options = [], carries } of negotiateCommands) {
    const help = (await runProgram('svc-negotiate', [name, '--help'])).out
    for (const [flags] of options) expect(help).toContain(flags)
    expect(help.includes('--transport')).toBe(carries === true)
  }
})

test('the example of an environment has every variable', () => {
  expect(Object.keys(exampleEnv)).toEqual(expect.arrayContaining(negotiateVariables))
})

test('invalid usage ends with exit code 2 and an explanation', async () => {
  const { poster, worker } = pair
  const draft = draftFor(worker.address)
  const id = '00000000-0000-4000-8000-000000000000'
  for (const [argv, words] of [
    [['dance'], /unknown command/],
    [['propose'], /missing required argument/],
    [['propose', 'nowhere.json'], /Cannot read nowhere.json: ENOENT/],
    [['propose', await pair.file('{')], /is not JSON/],
    [['propose', await pair.file({ ...draft, market: 'huge' })], /market must be standard or micro/],
    [
      ['propose', await pair.file({ ...draft, milestones: [{ ...draft.milestones[0], amount: '1,5' }] })],
      /Milestone 1, amount: write TOK/,
    ],
    [['propose', await pair.file({ ...draft, worker: poster.address })], /names only you/],
    [['propose', await pair.file(draft), '--transport', 'pigeon'], /--transport must be one of file, stdio, xmtp/],
    [['show', '../../etc/passwd'], /does not exist here/],
    [['show', id], /does not exist here/],
    [['say', id, 'TaskProposal'], /has its own command/],
    [['say', id, 'Nonsense'], /The type must be one of/],
    [['accept', id], /The digest of the offer is missing/],
    [['receive', '--me', 'bob'], /--me is not a valid address/],
    [['receive', '--me', poster.address, '--timeout', '1e9'], /--timeout must be a whole number/],
  ] as const) {
    const { exit, out, err } = await poster.negotiate(...argv)
    expect([exit, out], argv.join(' ')).toEqual([2, ''])
    expect(err).toMatch(words)
  }
  expect(await runProgram('svc-negotiate', ['list'], {})).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/The contract addresses are missing/),
  })
  expect(await runProgram('svc-negotiate', ['list'], { XMTP_ENV: 'moon' })).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/XMTP_ENV: local, dev or production/),
  })
})

test('a broken rule ends with exit code 4, an empty mailbox with 5, an unreachable transport with 3', async () => {
  const { poster, worker } = pair
  const draft = await pair.file(draftFor(worker.address))
  const late = await pair.file({ ...draftFor(worker.address), claimWithin: '10000 days' })
  expect(await poster.negotiate('propose', late)).toMatchObject({
    exit: 4,
    err: expect.stringMatching(/claim deadline/),
  })
  const { negotiationId: id, settlementDigest } = await poster.ask('propose', draft)
  const other = `0x${'00'.repeat(32)}`
  expect((await poster.negotiate('accept', id, '--digest', other)).err).toMatch(/you accept .* Review it first/)
  expect((await poster.negotiate('say', id, 'AcceptDelivery')).err).toMatch(/the poster cannot send AcceptDelivery/)
  expect(await poster.negotiate('export', id, join(pair.folder, 'early'))).toMatchObject({ exit: 4 })
  expect(await poster.negotiate('task', id, '--json')).toMatchObject({
    exit: 4,
    out: expect.stringMatching(/"exit":4/),
  })
  expect((await poster.ask('show', id)).settlementDigest).toBe(settlementDigest)
  expect((await worker.receive()).exit).toBe(0)
  expect(await worker.receive()).toMatchObject({ exit: 5, out: expect.stringMatching(/Nothing arrived/) })
  const taken = await pair.file('a file, not a folder')
  const argv = ['propose', draft, '--dir', poster.dir, '--mailbox', taken]
  expect(await runProgram('svc-negotiate', argv, { ...places, PRIVATE_KEY: poster.key })).toMatchObject({ exit: 3 })
})

test('the exit code tells when fewer messages arrived than expected', async () => {
  const { poster, worker } = pair
  await poster.ask('propose', await pair.file(draftFor(worker.address)))
  expect(await worker.receive('--count', '2', '--timeout', '1')).toMatchObject({
    exit: 5,
    out: expect.stringMatching(/Accepted in .*1 of 2 arrived in 1 s\./s),
  })
})

test('only commands that sign look at the key', async () => {
  const { poster, worker } = pair
  const { negotiationId: id } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
  let looks = 0
  const environment = {
    ...places,
    get PRIVATE_KEY() {
      looks++
      return poster.key
    },
  }
  for (const { name, args = '', signs, carries } of negotiateCommands) {
    looks = 0
    const given = args
      .split(' ')
      .filter(Boolean)
      .map((arg) => (arg === '<id>' ? id : arg === '<type>' ? 'IdentityLink' : 'nowhere'))
    const options = ['receive', 'send'].includes(name) ? ['--me', poster.address] : []
    const wait = name === 'receive' ? ['--timeout', '0'] : []
    const mail = carries ? ['--mailbox', pair.mailbox] : []
    await runProgram('svc-negotiate', [name, ...given, ...options, ...wait, ...mail, '--dir', poster.dir], environment)
    expect(looks > 0, name).toBe(signs === true)
  }
})

test('a key is never repeated: not a wrong one, not one in the wrong place, not in any file', async () => {
  const canary = createTestWallet().key.slice(2)
  const draft = await pair.file(draftFor(pair.worker.address))
  const folder = join(pair.folder, 'canary')
  await mkdir(folder)
  const at = ['--dir', join(folder, 'dir'), '--mailbox', join(folder, 'mail')]
  const said: string[] = []
  for (const PRIVATE_KEY of [canary, `0x${canary}00`, `0x${'f'.repeat(64)}`, `${canary}\n`, '0x']) {
    for (const argv of [[draft], [draft, '--json'], [draft, '--private-key', 'x']]) {
      const { exit, out, err } = await runProgram('send-proposal', [...argv, ...at], { ...places, PRIVATE_KEY })
      expect(exit).toBe(2)
      said.push(out + err)
    }
  }
  const env = { ...places, PRIVATE_KEY: `0x${canary}` }
  const both = [
    [proposer, draft, ...at],
    [negotiator, 'propose', draft, '--json', ...at],
  ]
  for (const { stdout, stderr } of await Promise.all(
    both.map((argv) => promisify(execFile)(process.execPath, argv, { env })),
  )) {
    expect(stdout).toContain('TaskProposal')
    said.push(stdout + stderr)
  }
  for (const words of said) expect(words.toLowerCase()).not.toMatch(new RegExp(`${canary}|f{20}`))
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
  expect(names.length).toBeGreaterThan(2)
  for (const { parentPath, name } of names)
    expect((await readFile(join(parentPath, name), 'latin1')).toLowerCase()).not.toContain(canary)
})

test('if the native part of XMTP does not load, the exit code is 3 with an explanation', async () => {
  // The loader uses the binary in this variable; here it is not a binary.
  const env = {
    PRIVATE_KEY: createTestWallet().key,
    XMTP_DB_PATH: join(pair.folder, 'db'),
    NAPI_RS_NATIVE_LIBRARY_PATH: negotiator,
  }
  // The source, because a bundle has no XMTP beside it.
  const source = fileURLToPath(new URL('../../apps/tools/src/svc-negotiate.ts', import.meta.url))
  const argv = [source, 'join', '--transport', 'xmtp']
  const failed = await promisify(execFile)(process.execPath, argv, { env }).catch((error) => error)
  expect(failed).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^XMTP's native binding does not load on this system .*glibc/),
  })
})

test('only messages go through a pipe between processes', async () => {
  const { poster, worker } = pair
  const draft = await pair.file(draftFor(worker.address))
  const from = spawn(process.execPath, [proposer, draft, '--transport', 'stdio', '--dir', join(pair.folder, 'piped')], {
    env: { ...places, PRIVATE_KEY: poster.key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const argv = [
    'receive',
    '--me',
    worker.address,
    '--transport',
    'stdio',
    '--dir',
    join(pair.folder, 'unpiped'),
    '--json',
  ]
  const to = spawn(process.execPath, [negotiator, ...argv], { env: places, stdio: ['pipe', 'pipe', 'pipe'] })
  from.stdout.pipe(to.stdin)
  const [out, err] = await Promise.all([text(to.stdout), text(to.stderr), once(to, 'close')])
  expect(out).toBe('')
  expect(JSON.parse(err).accepted).toMatchObject([{ type: 'TaskProposal' }])
  expect(to.exitCode).toBe(0)
})

test('lines that are too long or broken are rejected, and later ones still arrive', async () => {
  const { poster, worker } = pair
  const dir = join(pair.folder, 'lines')
  const argv = ['propose', await pair.file(draftFor(worker.address)), '--transport', 'stdio', '--dir', join(dir, 'a')]
  const { out: line } = await runProgram('svc-negotiate', argv, { ...places, PRIVATE_KEY: poster.key })
  const input = `${'x'.repeat(1_000_000)}\n\n{"half":\n${line}`
  const receive = ['receive', '--me', worker.address, '--transport', 'stdio', '--dir', join(dir, 'b'), '--json']
  const { exit, err } = await runProgram('svc-negotiate', receive, places, input)
  expect(exit).toBe(0)
  expect(JSON.parse(err).untrustedRefused).toHaveLength(2)
})

const negotiator = findProgram('apps/tools/src/svc-negotiate.ts')
const proposer = findProgram('apps/tools/src/send-proposal.ts')
