import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  accounts,
  advanceTimeTo,
  createScene,
  type Devnet,
  type Scene,
  sendActivation,
  sendApprovals,
  sendClaim,
  sendDelivery,
  sendDispute,
  sendEvidence,
  sendPost,
  sendTimeoutResolution,
  sendTransaction,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import { searchFilters } from '@svc/operations'
import { hashTaskText } from '@svc/protocol'
import { arbitrationAbi } from '@svc/protocol/abis'
import { actionList, actions, buildCalls } from '@svc/protocol/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareCommands } from '../../apps/tools/src/prepare/commands.ts'
import { compileCache } from '../harness/env.ts'
import { createPrepareRunner, expectNoCanary, type Preparing } from './preparing.ts'

let devnet: Devnet
let scene: Scene
let preparing: Preparing
beforeAll(async () => {
  devnet = await startDevnet()
  await setUpMarkets(devnet.client, devnet.deployments)
  scene = createScene(devnet.client, devnet.deployments, 'standard')
  await sendPost(scene, {
    poster: accounts.bruno,
    text: 'Draw a map\n\nOf it.',
    amounts: [10n ** 18n],
    duration: 172_800,
  })
  preparing = await createPrepareRunner({ ...devnet, gatewayUrl: 'http://127.0.0.1:3' })
})
afterAll(async () => {
  await preparing?.stop()
  await devnet?.stop()
})

const from = (person: { address: string }) => ['--from', person.address]
const draft = {
  title: 'Draw a map',
  criteria: 'Of the old harbour, with every street.',
  milestones: [{ title: 'All of it', amount: '500 TOK', duration: '2 days' }],
  store: 'none',
}

describe('commands that send nothing', () => {
  const rows: [string, string[]][] = [
    ['read', ['--task-id', 'v2:standard:1', ...from(accounts.emeka)]],
    ['read', ['--task-id', 'v2:standard:1']],
    ['read', ['--market', 'micro']],
    ['onboarding', from(accounts.emeka)],
    ['onboarding', ['--market', 'micro', ...from(accounts.keeper)]],
    ['hash-criteria', ['--input', '-']],
    ['build-task-terms', ['--input', '-', ...from(accounts.bruno)]],
    ['court-cases', ['--market', 'standard']],
    ['doctor', from(accounts.emeka)],
    ['completion', ['bash']],
    ['completion', ['zsh']],
    ['completion', ['fish']],
  ]

  test.each(rows)('%s prints the documented JSON, or text', async (name, argv) => {
    const stdin = JSON.stringify(name === 'hash-criteria' ? { text: 'proof' } : draft)
    const command = prepareCommands.find((each) => each.name === name)
    const { exit, out, err, json } = await preparing.run([name, ...argv, '--json'], { stdin })
    expect([exit, err]).toEqual([0, ''])
    expect(command?.answer.safeParse(json).error).toBeUndefined()
    expect(out).toMatch(/^[\n\x20-\x7e]*$/)
    const people = await preparing.run([name, ...argv], { stdin })
    expect([people.exit, people.err]).toEqual([0, ''])
    expect(people.out.length).toBeGreaterThan(20)
  })

  test('every other command is tested here or with the gateway', () => {
    const rowsOfTable = actionList.map(({ name }) => name)
    const others = prepareCommands.map(({ name }) => name).filter((name) => !rowsOfTable.includes(name))
    const steps = ['court-publish', 'court-ask', 'court-answer', 'court-carry']
    const elsewhere = ['court-batch', ...steps, 'prepare-receipt', 'search', 'status']
    expect([...new Set(rows.map(([name]) => name)), ...elsewhere].sort()).toEqual(others.sort())
  })
})

describe('search', () => {
  const asked: URL[] = []
  const api = createServer((request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://api'))
    // What the API says about a task is not shown, only what the chain says. The second task does not exist.
    const tasks = [{ id: 'v2:standard:1', title: 'Pays a million' }, { id: 'v2:standard:99999' }]
    response.end(JSON.stringify({ tasks, meta: { nextCursor: 'next' } }))
  })
  const env = { SVC_API_URL: '' }
  beforeAll(async () => {
    await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
    env.SVC_API_URL = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  })
  afterAll(() => api.close())

  const argv = ['search', '--words', 'map', '--tags', 'design,lang:pt', '--min-pay', '1.5TOK', '--max-pay-tok-wei', '9']
  const more = ['--funded', 'true', '--claim-policy', 'ANYONE', '--status', 'waiting', '--sort', 'pay', '--limit', '5']

  test('passes every filter to the API, and prints what the chain says about the tasks that it names', async () => {
    const bounds = ['--closes-after', '1', '--closes-before', '2', '--min-poster-score', '3']
    const { exit, json, err } = await preparing.run([...argv, ...more, ...bounds, '--json'], { env })
    expect([exit, err]).toEqual([0, ''])
    const command = prepareCommands.find(({ name }) => name === 'search')
    expect(command?.answer.safeParse(json).error).toBeUndefined()
    expect(json.meta.nextCursor).toBe('next')
    expect(json.tasks).toMatchObject([
      { id: 'v2:standard:1', title: 'Draw a map', tags: [], netPayTokWei: String(-999n * 10n ** 18n) },
    ])
    const [{ searchParams, pathname } = new URL('http://none')] = asked.slice(-1)
    expect(pathname).toBe('/api/market/search')
    const { prefix: _, ...filters } = searchFilters
    expect([...searchParams.keys()].sort()).toEqual([...Object.keys(filters), 'limit', 'market'].sort())
    expect(searchParams.get('minPayTokWei')).toBe('1500000000000000000')
    expect(searchParams.get('tags')).toBe('design,lang:pt')
  })

  test('prints a row for people, with the text of the poster quoted', async () => {
    const { exit, out } = await preparing.run(argv, { env })
    expect(exit).toBe(0)
    expect(out).toContain('    > Draw a map\n')
    expect(out).toContain('v2:standard:1  1 TOK, -999 TOK after the fee  until ')
    expect(out).toContain('--cursor next')
    expect(out).not.toContain('million')
  })

  test('says what to do without an API, and names an invalid filter', async () => {
    const alone = await preparing.run([...argv, '--json'])
    expect([alone.exit, alone.json.code]).toEqual([3, 'INDEX_REQUIRED'])
    expect(alone.json.hint).toContain('svc-prepare read')
    const wrong = await preparing.run(['search', '--tags', 'Not A Tag', '--json'], { env })
    expect([wrong.exit, wrong.json.error]).toEqual([2, expect.stringContaining('--tags')])
  })
})

test('built terms can be posted from their document, and a changed document is rejected', async () => {
  const file = await preparing.file(JSON.stringify(draft))
  const { json: terms } = await preparing.run(['build-task-terms', '--input', file, ...from(accounts.bruno), '--json'])
  const argv = ['post-task', '--fund-amount', '500TOK', ...from(accounts.bruno), '--dry-run', '--json', '--terms', '-']
  const { exit, json } = await preparing.run(argv, { stdin: JSON.stringify(terms) })
  expect([exit, json.simulation.status]).toEqual([0, 'succeeds'])
  expect(json.costs).toContainEqual({ what: 'From your wallet', amount: '500 TOK' })
  const changed: [object, string][] = [
    [{ ...terms, criteria: 'Of anything.' }, 'hashes'],
    [{ ...terms, taskRegistry: accounts.bruno.address }, 'hashes'],
    [{ ...terms, surprise: 1 }, '--terms'],
  ]
  for (const [document, words] of changed) {
    const refused = await preparing.run(argv, { stdin: JSON.stringify(document) })
    expect([refused.exit, refused.json.error]).toEqual([2, expect.stringContaining(words)])
  }
  const elsewhere = await preparing.run([...argv, '--market', 'micro'], { stdin: JSON.stringify(terms) })
  expect([elsewhere.exit, elsewhere.json.error]).toEqual([2, expect.stringContaining('standard market')])
})

test('terms that name their poster need no --from', async () => {
  const argv = ['build-task-terms', '--input', await preparing.file(JSON.stringify(draft)), '--json']
  const { exit, json } = await preparing.run([...argv, '--poster', accounts.bruno.address])
  expect([exit, json.poster]).toEqual([0, accounts.bruno.address])
})

test('a draft is posted as it is, and is refused where signatures over its terms are asked for', async () => {
  const stdin = JSON.stringify(draft)
  const post = ['post-task', '--fund-amount', '0TOK', ...from(accounts.bruno), '--dry-run', '--json', '--terms', '-']
  const { exit, json } = await preparing.run([...post, '--market', 'micro'], { stdin })
  expect([exit, json.market, json.simulation.status]).toEqual([0, 'micro', 'succeeds'])
  const wrong = await preparing.run(post, { stdin: JSON.stringify({ ...draft, milestones: [{ title: 'A' }] }) })
  expect([wrong.exit, wrong.json.error]).toEqual([2, expect.stringContaining('Milestone 1, amount is missing')])
  const signature = await preparing.file(JSON.stringify({ nonce: '1', expiry: 1, data: `0x${'ab'.repeat(65)}` }))
  const signatures = ['--poster-acceptance', signature, '--worker-acceptance', signature]
  const create = ['create-task', ...signatures, '--worker', accounts.emeka.address, ...from(accounts.bruno), '--json']
  const refused = await preparing.run([...create, '--terms', '-'], { stdin })
  expect([refused.exit, refused.json.error]).toEqual([2, expect.stringContaining('both parties signed')])
})

test('text that the registry would not publish is rejected before hashing', async () => {
  for (const wrong of [{ title: 'x'.repeat(121) }, { title: 'a\u001b[31m' }, { criteria: ' ' }, { milestones: [] }]) {
    const argv = ['build-task-terms', '--input', '-', ...from(accounts.bruno), '--json']
    const { exit, json } = await preparing.run(argv, { stdin: JSON.stringify({ ...draft, ...wrong }) })
    expect([exit, json.code, json.error]).toEqual([
      2,
      'USAGE',
      expect.stringMatching(new RegExp(`${Object.keys(wrong)[0]}\\b`, 'i')),
    ])
  }
})

describe('untrusted text', () => {
  const nasty = [
    '\u001b[31mred\u001b[0m and \u001b[2J\u001b[H gone',
    '\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\',
    '\u001b]52;c;ZXZpbA==\u0007 into the clipboard',
    '\u009b31m C1 and \u0090q a device string \u009c',
    'right to left \u202e olleh \u2066 isolate \u2069',
    'tags \u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065} and \u200b\u2060 nothing',
    'title\r\nConfirmed\r  Transaction 0x00\u0008\u0008\u0008',
    'bell\u0007 null\u0000 delete\u007f',
  ]

  test('in a task is cleaned and never looks like our own output', async () => {
    const { terms } = await sendPost(scene, {
      poster: accounts.bruno,
      text: 'A\n\nB',
      amounts: [1n],
      duration: 172_800,
    })
    for (const [index, text] of nasty.entries()) {
      const own = { ...terms, nonce: 1_000n + BigInt(index), criteriaHash: hashTaskText(text) }
      const input = { market: 'standard', terms: own, text, fundAmountTokWei: 0n } as const
      const calls = buildCalls(actions['post-task'], input, {
        from: accounts.bruno.address,
        contracts: scene.contracts,
      })
      for (const { to, data } of calls) await sendTransaction(scene.client, accounts.bruno, { to, data })
      const taskId = ['--task-id', `v2:standard:${3 + index}`, ...from(accounts.emeka)]
      for (const argv of [
        ['read', ...taskId],
        ['claim-task', ...taskId, '--dry-run'],
      ]) {
        const plain = await preparing.run(argv)
        expectClean(plain.out + plain.err)
        expect(plain.exit).toBe(0)
        expect(plain.out).not.toMatch(/^\s*(?:Confirmed|Transaction)/m)
        const tty = await preparing.run(argv, { tty: true })
        expect(tty.out).toContain('\u001b[1m')
        expectClean(tty.out.replaceAll('\u001b[1m', '').replaceAll('\u001b[22m', ''))
        const { out, json } = await preparing.run([...argv, '--json'])
        expect(out).toMatch(/^[\n\x20-\x7e]*$/)
        // Nothing is lost for programs.
        expect(json.untrustedText ?? json.task.text.criteria).toBe(text)
      }
    }
  })

  test('in arguments, files and responses of a gateway is cleaned as well', async () => {
    for (const text of nasty) {
      const server = createServer((_, response) => {
        response.statusCode = 422
        response.end(JSON.stringify({ error: text, code: text, hint: text }))
      })
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      const env = { SVC_GATEWAY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
      const runs = await Promise.all([
        preparing.run(['stake', '--amount', '1TOK', ...from(accounts.emeka)], { env }),
        preparing.run(['read', '--task-id', text]),
        preparing.run(['top-up', '--amount', text, ...from(accounts.emeka)]),
        preparing.run(['top-up', '--input', '-', ...from(accounts.emeka)], { stdin: JSON.stringify({ [text]: 1 }) }),
        preparing.run([text]),
        preparing.run(['post-task', '--terms', text.replaceAll('\0', ''), ...from(accounts.emeka)]),
      ])
      server.close()
      server.closeAllConnections()
      expect(runs.map(({ exit }) => exit)).toEqual([4, 2, 2, 2, 2, 2])
      for (const { out, err } of runs) expectClean(out + err)
    }
  })

  function expectClean(text: string): void {
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u)
  }
})

test('color is used only in terminals, unless NO_COLOR is set', async () => {
  const argv = ['read', '--task-id', 'v2:standard:1']
  expect((await preparing.run(argv, { tty: true })).out).toContain('\u001b[1m')
  for (const more of [{}, { tty: true, env: { NO_COLOR: '1' } }, { tty: true, env: { TERM: 'dumb' } }]) {
    expect((await preparing.run(argv, more)).out).not.toContain('\u001b')
  }
})

describe('doctor', () => {
  const levels = (json: { findings: { what: string; level: string }[] }, level: string) =>
    json.findings.filter((each) => each.level === level).map(({ what }) => what)

  test('tells a wallet without funds what to do', async () => {
    const { exit, json } = await preparing.run(['doctor', ...from(accounts.keeper), '--json'])
    expect([exit, json.ok]).toEqual([4, false])
    expect(levels(json, 'fail')).toEqual(['Deposit'])
    for (const { level, hint } of json.findings) expect(level === 'ok' || hint.length > 10).toBe(true)
  })

  test('detects an unreachable provider, a wrong chain and missing contracts', async () => {
    const silent = await preparing.run(['doctor', '--json'], { env: { CHAIN_RPC_URL: 'http://127.0.0.1:3' } })
    expect([silent.exit, levels(silent.json, 'fail')]).toEqual([3, ['provider 1']])
    const { deployments } = devnet
    const moved = { ...deployments, chainId: 10, shared: { ...deployments.shared, usdc: accounts.emeka.address } }
    const chain = await preparing.file(JSON.stringify(moved))
    const other = await preparing.run(['doctor', '--json'], { env: { SVC_DEPLOYMENTS: chain } })
    expect([other.exit, levels(other.json, 'fail')]).toEqual([3, ['provider 1']])
    const empty = await preparing.file(JSON.stringify({ ...moved, chainId: deployments.chainId }))
    const lost = await preparing.run(['doctor', '--json'], { env: { SVC_DEPLOYMENTS: empty } })
    expect([lost.exit, levels(lost.json, 'fail')]).toEqual([3, ['provider 1, contracts']])
    expect(lost.json.findings.find(({ level }: { level: string }) => level === 'fail').says).toContain('usdc')
  })

  test('gets the quota from the API if it is configured', async () => {
    const quota = { tier: 'free', used: 3, limit: 3, canPost: false, market: 'standard', resetsAt: 1_800_000_000 }
    const server = createServer((_, response) =>
      response.end(JSON.stringify({ ...quota, address: accounts.emeka.address })),
    )
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const env = { SVC_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    const { json } = await preparing.run(['doctor', ...from(accounts.emeka), '--json'], { env })
    server.close()
    expect(json.findings).toContainEqual(
      expect.objectContaining({ what: 'Quota', level: 'warn', says: '3 of 3 posts used today, plan free' }),
    )
  })
})

describe('as a process', () => {
  const entry = fileURLToPath(new URL('../../apps/tools/src/svc-prepare.ts', import.meta.url))
  const start = async (argv: string[], stdin = '') => {
    const home = await mkdtemp(join(preparing.folder, 'home-'))
    const running = promisify(execFile)(process.execPath, [entry, ...argv], {
      env: { ...compileCache.env(), ...preparing.environment, HOME: home, TMPDIR: tmpdir() },
      cwd: home,
    })
    running.child.stdin?.end(stdin)
    const { stdout, stderr, code } = await running.then(
      (done) => ({ ...done, code: 0 }),
      (error: { stdout: string; stderr: string; code: number }) => error,
    )
    return { exit: code, out: stdout, err: stderr, files: await readdir(home) }
  }

  test('it returns the exit code, leaves no file, and never prints the key of the environment', async () => {
    const claim = ['claim-task', '--task-id', 'v2:standard:1', ...from(accounts.emeka)]
    const runs = await Promise.all([
      start(claim),
      start([...claim, '--json']),
      start(['claim-task', '--task-id', 'v2:standard:1', ...from(accounts.bruno)]),
      start(['top-up', '--input', '-', ...from(accounts.emeka), '--json'], '{"amountUsdc":"1"}'),
      start(['doctor', ...from(accounts.emeka)]),
    ])
    expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 4, 0, 0])
    for (const { out, err, files } of runs) {
      expectNoCanary(out + err)
      expect(files).toEqual([])
    }
    expect(JSON.parse(runs[1]?.out ?? '').calls.length).toBeGreaterThan(0)
    expect(JSON.parse(runs[3]?.out ?? '').action).toBe('top-up')
    expect(runs[0]?.out).not.toContain('\u001b')
  })

  test('the completion works in bash', async () => {
    const { json } = await preparing.run(['completion', 'bash', '--json'])
    const script = `${json.script}\nCOMP_WORDS=(svc-prepare claim-task --per); COMP_CWORD=2; _svc_prepare; echo "$\{COMPREPLY[*]}"`
    const { stdout } = await promisify(execFile)('bash', ['-c', script])
    expect(stdout.trim()).toBe('--permit')
  })
})

// Last, because it moves the clock.
test('court-batch decides a case with the numbers of court-cases', async () => {
  // Posts before left an allowance of nothing.
  await sendApprovals(scene, accounts.bruno)
  const job = await sendPost(scene, {
    poster: accounts.bruno,
    text: 'A\n\nB',
    amounts: [10n ** 18n],
    duration: 172_800,
  })
  await sendClaim(scene, job, accounts.emeka)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'All of it.')
  await sendDispute(scene, job, 'Half of it is missing.')
  await sendEvidence(scene, job, accounts.emeka, 'Nothing is missing.', 10_000n)
  const { consentEnd } = await scene.client.readContract({
    address: scene.contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'disputeOf',
    args: [job.id],
  })
  await advanceTimeTo(scene.client, consentEnd + 1)
  await sendTimeoutResolution(scene, job)

  const { json: desk } = await preparing.run(['court-cases', '--market', 'standard', '--json'])
  const [{ taskId, case: round, offerBps, askBps, decideFrom }] = desk.cases
  expect(taskId).toBe(`v2:standard:${job.id}`)
  await advanceTimeTo(scene.client, decideFrom)
  const decision = { taskId, case: round, offerBps, askBps, forWorker: true, reasonHash: `0x${'12'.repeat(32)}` }
  const decide = async (change: object, ...flags: string[]) => {
    const decisions = await preparing.file(JSON.stringify([{ ...decision, ...change }]))
    return preparing.run(['court-batch', '--market', 'standard', '--decisions', decisions, ...flags])
  }
  const { exit, err, json } = await decide({}, '--json')
  expect([exit, err, json.transactions.length]).toEqual([0, '', 1])
  const command = prepareCommands.find(({ name }) => name === 'court-batch')
  expect(command?.answer.safeParse(json).error).toBeUndefined()
  expect((await decide({})).out).toContain(`${taskId} for the worker`)
  const other = await decide({ case: round + 1 }, '--json')
  expect([other.exit, other.json.error]).toEqual([2, expect.stringContaining(`is at case ${round}`)])
  // What is done at a court that asks the public is refused here; test/admin/court.test.ts has one.
  const link = ['--evidence-hash', decision.reasonHash, '--uri', 'https://worker.example/work.zip']
  for (const [step, flags] of [
    ['publish', link],
    ['ask', []],
    ['answer', ['--for-worker', 'true']],
    ['carry', []],
  ] as const) {
    const args = [`court-${step}`, '--task-id', taskId, ...flags, ...from(accounts.emeka), '--json']
    const refused = await preparing.run(args)
    expect([refused.exit, refused.json.error]).toEqual([2, expect.stringContaining('does not ask the public')])
  }
})

test('the source of the command never mentions the key', async () => {
  const folder = fileURLToPath(new URL('../../apps/tools/src/prepare/', import.meta.url))
  for (const file of await readdir(folder))
    expect(await readFile(join(folder, file), 'utf8')).not.toContain('PRIVATE_KEY')
})
