import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { saveDeployments } from '@svc/chain'
import { buildWorld, type Devnet, startDevnet, worldSpan } from '@svc/devnet'
import { formatAgreement } from '@svc/protocol/negotiation'
import { readAnswer } from '@svc/reads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { runVerify } from '../../apps/tools/src/verify/runVerify.ts'
import { buildTranscript, context, remembered } from '../../packages/protocol/test/negotiation.ts'
import { compileCache } from '../harness/env.ts'

const present = Math.floor(Date.now() / 1000)
const command = fileURLToPath(new URL('../../apps/tools/src/svc-verify.ts', import.meta.url))
const task = '/api/market/task?id=v2:micro:1'
let devnet: Devnet
let folder: string
/** An API that answers from the chain, with one wrong value. */
let api: Server
let tamper: (text: string) => string = (text) => text
let environment: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-verify-'))
  devnet = await startDevnet({ genesisTime: present - worldSpan })
  await buildWorld(devnet.client, devnet.deployments, present)
  await saveDeployments(join(folder, 'deployments.json'), devnet.deployments)
  const markets = openMarkets([devnet.rpcUrl], devnet.deployments)
  api = createServer((request, response) => {
    if (request.url === '/elsewhere') return response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    readAnswer(`http://localhost${request.url}`, markets).then((body) => response.end(tamper(JSON.stringify(body))))
  })
  await new Promise<void>((done) => {
    api.listen(0, '127.0.0.1', done)
  })
  environment = { CHAIN_RPC_URL: devnet.rpcUrl, SVC_DEPLOYMENTS: join(folder, 'deployments.json') }
})
afterAll(async () => {
  api?.close()
  await devnet?.stop()
  await rm(folder, { recursive: true, force: true })
})

const toUrl = (path: string) => `http://127.0.0.1:${(api.address() as AddressInfo).port}${path}`

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs the command in this process. */
async function svcVerify(args: readonly string[], env: Record<string, string> = environment): Promise<Ended> {
  const ended = { code: 0, stdout: '', stderr: '' }
  const to = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (ended[name] += text) })
  ended.code = await runVerify(args, { environment: env, output: to('stdout'), errors: to('stderr') })
  return ended
}

/** Runs it as a process, with nothing else in its environment. */
function runAsProcess(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [command, ...args],
      { env: { ...compileCache.env(), ...env } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
      },
    )
  })
}

test('an honest answer is equal, and a task is proven', async () => {
  tamper = (text) => text
  const list = await runAsProcess([toUrl('/api/market/recent?market=micro')], environment)
  expect(list).toMatchObject({ code: 0, stderr: '' })
  expect(list.stdout).toMatch(/^equal: \d{3,} fields at block \d+ \(0x[0-9a-f]{64}, [0-9-]+ [0-9:]+ UTC\)\n$/)
  const one = await svcVerify([toUrl(task)])
  expect(one).toMatchObject({ code: 0, stderr: '' })
  expect(one.stdout).toMatch(/^equal: .*\nproven: by eth_getProof .*\ntrusted: that 0x[0-9a-f]{64} is a block/)
})

test('a wrong answer is reported field by field', async () => {
  tamper = (text) => text.replace(/"fundedTokWei":"\d+"/, '"fundedTokWei":"7"')
  const { code, stdout } = await svcVerify([toUrl('/api/market/recent?market=micro')])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^different: 1 of \d+ fields at block \d+ /)
  expect(stdout).toMatch(/\n {2}tasks\[0\]\.fundedTokWei: the response says "7", the chain says "\d+"\n$/)
  const json = await svcVerify([toUrl(task), '--json'])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({
    equal: false,
    differences: [{ path: 'task.fundedTokWei', said: '7' }],
  })
  // Text of a stranger must not control the terminal.
  tamper = (text) => text.replace(/"title":"[^"]*"/, '"title":"\\u001b[2Jgone"')
  const hostile = await svcVerify([toUrl(task)])
  expect(hostile.code).toBe(1)
  expect(hostile.stdout).not.toContain('\u001b')
})

test('a saved answer is compared at its own block', async () => {
  tamper = (text) => text
  const file = join(folder, 'answer.json')
  const body = await (await fetch(toUrl(task))).text()
  await devnet.client.mine({ blocks: 3 })
  await writeFile(file, body)
  expect(await svcVerify([toUrl(task), '--answer', file])).toMatchObject({ code: 0 })
  await writeFile(file, body.replace('"state":"', '"state":"X'))
  expect((await svcVerify([toUrl(task), '--answer', file])).stdout).toContain('task.state: the response says "X')
})

test('a task id reads the API, or only the chain', async () => {
  tamper = (text) => text.replace(/"poster":"0x./, '"poster":"0xz')
  const alone = await svcVerify(['v2:micro:1'])
  expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining('\nproven: ') })
  const asked = await svcVerify(['v2:micro:1'], { ...environment, SVC_API_URL: toUrl('') })
  expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining('task.poster') })
})

test('an answer that cannot be verified has another exit code than a wrong one, and so does a wrong argument', async () => {
  tamper = (text) => text
  const gone = await svcVerify([toUrl('/api/union/overview'), '--rpc', 'http://127.0.0.1:9'])
  expect(gone).toMatchObject({ code: 3, stderr: expect.stringMatching(/^not verified: provider 1 cannot be reached/) })
  tamper = (text) => text.replace(/"hash":"0x...../, '"hash":"0x00000')
  const replaced = await svcVerify([toUrl('/api/union/overview')])
  expect(replaced).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('a reorg removed it, or it never existed'),
  })
  expect(await svcVerify([toUrl('/elsewhere')])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('status 302'),
  })
  for (const args of [[], ['v2:micro:x'], [toUrl('/'), '--no'], ['nowhere.json']]) {
    expect(await svcVerify(args), String(args)).toMatchObject({ code: 2, stdout: '' })
  }
  const unset = await svcVerify(['v2:micro:1'], {})
  expect(unset).toMatchObject({ code: 2, stderr: expect.stringContaining('SVC_API_URL: needed') })
})

test('an agreement file is verified without a chain or environment, and one changed letter breaks it', async () => {
  const verifySignature = remembered()
  const steps = ['TaskProposal poster', 'TaskAcceptance worker', 'TaskAcceptance poster', 'DeliveryNotice worker']
  const { messages } = await buildTranscript(steps, verifySignature)
  const text = await formatAgreement(messages, { chainId: context.chainId, verifySignature })
  const digest = /"settlementDigest":"(0x\w{64})"}\n$/.exec(text)?.[1] as string
  const file = join(folder, 'agreement.json')
  await writeFile(file, text)
  const { code, stdout } = await svcVerify([file, '--digest', digest], {})
  expect(code).toBe(0)
  expect(stdout).toContain('Pays 10 TOK for 2 milestones:\n  1. Ten captions: 5 TOK, 1 h\n')
  expect(stdout).toContain(`Settlement digest: ${digest}\n  It matches the digest you gave.`)
  expect(await svcVerify([file, '--digest', messages[0]?.hash as string], {})).toMatchObject({ code: 1 })
  // The other one names a task that is on this chain with another digest.
  const parted = await buildTranscript([...steps.slice(0, 3), 'MutualCancel worker'], verifySignature)
  const other = join(folder, 'parted.json')
  await writeFile(other, await formatAgreement(parted.messages, { chainId: context.chainId, verifySignature }))
  expect(await svcVerify([other], {})).toMatchObject({ code: 0 })
  const onChain = await svcVerify([other])
  expect(onChain).toMatchObject({ code: 1, stdout: expect.stringContaining('has another digest on the chain: 0x') })
  const captions = text.lastIndexOf('example.org')
  await writeFile(file, `${text.slice(0, captions)}f${text.slice(captions + 1)}`)
  expect(await runAsProcess([file], {})).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Message 4 is invalid: its hash is not the hash of its envelope.\n',
  })
})
