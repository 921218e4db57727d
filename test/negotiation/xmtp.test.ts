import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { verifyAgreement } from '@svc/protocol/negotiation'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createXmtpTransport } from '../../packages/transport-xmtp/src/index.ts'
import { startFakeNode } from '../../packages/transport-xmtp/test/fakeNode.ts'
import { startMailboxes } from './mailboxTransport.ts'
import { negotiate } from './negotiate.ts'
import { draftFor, openPair, type Pair, type Side } from './pair.ts'
import { runProgram } from './runProgram.ts'
import { startNegotiationStage } from './stage.ts'
import { readTranscriptFile } from './stores.ts'
import { createTestWallet, type Wallet } from './wallet.ts'

// All tests with the fake node are in one file, because the SDK uses a fixed port for a local node.
let node: { stop: () => void }
let pair: Pair
beforeAll(async () => {
  pair = await openPair()
  node = await startFakeNode()
})
afterAll(async () => {
  node?.stop()
  await pair?.close()
})

test('two processes get from a proposal to a paid task over XMTP, with its real clients and a fake node', async () => {
  const stage = await startNegotiationStage()
  try {
    await negotiate(stage, 'xmtp')
  } finally {
    await stage.close()
  }
})

test('a wallet joins once with its key and receives without it, and rejected messages do not return', async () => {
  const { poster, worker } = pair
  expect(await over(worker, 'receive', '--me', worker.address)).toMatchObject({
    exit: 3,
    err: expect.stringMatching(/join/),
  })
  const unknown = await over(poster, 'propose', await pair.file(draftFor(worker.address)))
  expect(unknown).toMatchObject({ exit: 3, err: expect.stringMatching(/is in the transcript but was not sent/) })
  const [, id = ''] = /svc-negotiate send (\S+)/.exec(unknown.err) ?? []
  const joined = await over(worker, 'join', '--json')
  expect(JSON.parse(joined.out)).toEqual({
    address: worker.address,
    publicKey: expect.stringMatching(/^[0-9a-f]{64}$/),
  })

  // Someone else repeats the poster's message: the signature is valid, but it did not come from the poster's inbox.
  const stranger = createTestWallet()
  const transport = await openXmtp(stranger)
  const line = (await readTranscriptFile(poster.dir, id)).trimEnd()
  await transport.send(worker.address, line)
  await transport.send(worker.address, 'x'.repeat(300_000))
  const receive = ['receive', '--me', worker.address, '--json', '--timeout', '0']
  const refused = await over(worker, ...receive)
  expect(refused.exit).toBe(4)
  expect(JSON.parse(refused.out).untrustedRefused).toEqual([
    'it was sent by a wallet other than the sender it names.',
    expect.stringMatching(/longer than 262144/),
  ])
  expect((await over(worker, ...receive)).exit).toBe(5)

  expect((await over(poster, 'send', id, '--me', poster.address)).exit).toBe(0)
  const received = await over(worker, ...receive)
  expect(JSON.parse(received.out).accepted).toMatchObject([{ type: 'TaskProposal', sender: poster.address }])
  expect(await readTranscriptFile(worker.dir, id)).toBe(await readTranscriptFile(poster.dir, id))
  for (const name of ['inbox.db3.key', 'inbox.db3.seen']) {
    expect((await stat(join(worker.dir, 'xmtp', name))).mode & 0o777, name).toBe(0o600)
  }
  // The envelope names the installation that signed it.
  expect(JSON.parse(line).envelope.sender.xmtpPublicKey).toMatch(/^[0-9a-f]{64}$/)
})

test('a negotiation begun in mailboxes goes on over files and over XMTP, and proves its digest offline', async () => {
  const fresh = await openPair()
  const mailboxes = await startMailboxes(fresh)
  try {
    const { poster, worker } = fresh
    // Signs in, so that the poster can write.
    await mailboxes.over(worker, 'receive', '--me', worker.address, '--timeout', '0')
    const proposed = await mailboxes.over(poster, 'propose', await fresh.file(draftFor(worker.address)))
    const { negotiationId: id } = JSON.parse(proposed.out)
    const received = await mailboxes.over(worker, 'receive', '--me', worker.address, '--timeout', '0')
    expect(JSON.parse(received.out).accepted).toMatchObject([{ type: 'TaskProposal' }])
    await mailboxes.over(worker, 'counter', id, await fresh.file({ maxRevisions: 3 }))
    expect((await mailboxes.over(poster, 'receive', '--me', poster.address, '--timeout', '0')).exit).toBe(0)
    const { settlementDigest, turn } = await poster.ask('counter', id, await fresh.file({ maxRevisions: 2 }))
    expect(turn).toBe('worker')
    expect((await worker.receive()).exit).toBe(0)
    for (const side of [poster, worker]) await overXmtp(fresh, side, 'join')
    await overXmtp(fresh, worker, 'accept', id, '--digest', settlementDigest)
    expect((await overXmtp(fresh, poster, 'receive', '--me', poster.address, '--timeout', '20')).exit).toBe(0)
    await mailboxes.over(poster, 'accept', id, '--digest', settlementDigest)
    expect((await mailboxes.over(worker, 'receive', '--me', worker.address, '--timeout', '0')).exit).toBe(0)
    expect(await readTranscriptFile(worker.dir, id)).toBe(await readTranscriptFile(poster.dir, id))
    const file = join(fresh.folder, 'agreement.json')
    await worker.ask('export', id, file)
    const digest = settlementDigest
    expect(await verifyAgreement(await readFile(file, 'utf8'), { digest })).toMatchObject({
      length: 5,
      phase: 'AGREED',
    })
  } finally {
    await mailboxes.stop()
    await fresh.close()
  }
})

/** Runs a command over XMTP, with the key only if it signs. */
const over = (side: Side, ...argv: string[]) => overXmtp(pair, side, ...argv)

function overXmtp({ folder }: Pair, side: Side, ...argv: string[]) {
  const signs = ['propose', 'join', 'accept'].includes(argv[0] ?? '')
  const environment = {
    SVC_DEPLOYMENTS: join(folder, 'deployments.json'),
    XMTP_ENV: 'local',
    XMTP_DB_PATH: join(side.dir, 'xmtp', 'inbox.db3'),
    ...(signs ? { PRIVATE_KEY: side.key } : {}),
  }
  return runProgram('svc-negotiate', [...argv, '--transport', 'xmtp', '--dir', side.dir], environment)
}

function openXmtp({ key, address }: Wallet) {
  const dbPath = join(pair.folder, address, 'inbox.db3')
  return createXmtpTransport({ me: address, account: privateKeyToAccount(key), network: 'local', dbPath })
}
