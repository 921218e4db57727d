import { type MessageType, messageTypes } from '@svc/protocol/negotiation'
import { expect, test } from 'vitest'
import { startForTests } from '../harness/startForTests.ts'
import { draftFor, openPair, type Side } from './pair.ts'
import { runProgram } from './runProgram.ts'
import { readTranscriptFile } from './stores.ts'
import { createTestWallet } from './wallet.ts'

const pair = startForTests(openPair, 'close')

const hash = `0x${'ab'.repeat(32)}`

test('every kind of message can be sent on the command line, and the other side accepts it', async () => {
  const { poster, worker } = pair
  const said = new Set<MessageType>()
  const id = await propose()
  const supervisor = createTestWallet()
  await say(worker, 'CapabilityProof', { claims: ['I did this before.'], links: ['https://example.org/work'] })
  await say(poster, 'ReplacementContext', { previousDigest: hash, summary: 'The one before left.' })
  await say(poster, 'MilestoneDefinition', {
    milestones: [{ title: 'All', amount: '5 TOK', duration: '1 hour' }],
  })
  await say(worker, 'ArbitratorProposal', { arbitrator: createTestWallet().address })
  await say(worker, 'IdentityLink', { relation: 'supervisor', subject: supervisor.address })
  await tell(worker, 'counter', id, await pair.file({ criteria: 'Short sentences.' }), '--reason', 'Easier.')
  for (const side of [worker, poster]) {
    const { settlementDigest } = await side.ask('show', id)
    await tell(side, 'accept', id, '--digest', settlementDigest)
  }
  await say(worker, 'DeliveryNotice', { proofHash: hash })
  await say(poster, 'RevisionRequest', { reason: 'Too long.' })
  await say(worker, 'DeliveryNotice', { proofHash: hash }, '--task', 'v2:micro:3')
  await say(worker, 'PaymentRequest', {})
  await say(poster, 'DisputeEvidence', { evidence: 'See the third sentence.' })
  await tell(worker, 'cancel', id, '--task', 'v2:micro:3', '--worker-bps', '5000', '--state', 'ACTIVE')
  await say(poster, 'AcceptDelivery', {})
  const shown = await poster.ask('show', id)
  expect(shown).toMatchObject({ phase: 'DONE', saidTaskId: 'v2:micro:3' })
  expect(await readTranscriptFile(poster.dir, id)).toBe(await readTranscriptFile(worker.dir, id))

  // A supervisor shares the transcripts of its agent but has its own key.
  const vetoed = await propose()
  await say(worker, 'IdentityLink', { relation: 'supervisor', subject: supervisor.address }, vetoed)
  const veto = await pair.file({ reason: 'Not for us.' })
  const argv = ['say', vetoed, 'SupervisorVeto', veto, '--dir', worker.dir, '--mailbox', pair.mailbox]
  const environment = { PRIVATE_KEY: supervisor.key, SVC_DEPLOYMENTS: `${pair.folder}/deployments.json` }
  expect((await runProgram('svc-negotiate', argv, environment)).exit).toBe(0)
  expect((await poster.receive()).out).toContain('SupervisorVeto')
  said.add('SupervisorVeto')
  expect([...said].sort()).toEqual([...messageTypes].sort())

  async function propose(): Promise<string> {
    const { negotiationId, type } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
    said.add(type)
    expect((await worker.receive()).exit).toBe(0)
    return negotiationId
  }
  async function say(side: Side, type: MessageType, payload: object, ...more: string[]) {
    const [negotiation = id, ...options] = more[0]?.startsWith('--') ? [id, ...more] : more
    await tell(side, 'say', negotiation, type, await pair.file(payload), ...options)
  }
  async function tell(side: Side, ...argv: string[]) {
    said.add((await side.ask(...argv)).type)
    const received = await (side === poster ? worker : poster).receive()
    expect(received, argv.join(' ')).toMatchObject({ exit: 0 })
  }
})
