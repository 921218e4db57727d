import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startForTests } from '../harness/startForTests.ts'
import { draftFor, openPair } from './pair.ts'
import { runProgram } from './runProgram.ts'
import { readTranscriptFile } from './stores.ts'
import { createTestWallet } from './wallet.ts'

const pair = startForTests(openPair, 'close')

test('a linked supervisor gets what was said before and after, and its veto ends the negotiation', async () => {
  const { poster, worker } = pair
  const supervisor = createTestWallet()
  const dir = join(pair.folder, 'supervisor')
  const supervise = (...argv: string[]) =>
    runProgram('svc-negotiate', [...argv, '--dir', dir, '--mailbox', pair.mailbox, '--json'], {
      PRIVATE_KEY: supervisor.key,
      SVC_DEPLOYMENTS: join(pair.folder, 'deployments.json'),
    })
  const receive = ['receive', '--me', supervisor.address, '--timeout', '0', '--count', '5']
  const { negotiationId: id } = await poster.ask('propose', await pair.file(draftFor(worker.address)))
  await worker.receive()
  await worker.ask('counter', id, await pair.file({ maxRevisions: 3 }))
  await poster.receive()
  const link = { relation: 'supervisor', subject: supervisor.address }
  const linked = await poster.ask('say', id, 'IdentityLink', await pair.file(link))
  expect(linked.sentTo).toEqual([worker.address, supervisor.address])
  await worker.receive()

  const { accepted } = JSON.parse((await supervise(...receive, '--supervise', poster.address)).out)
  expect(accepted.map(({ type }: { type: string }) => type)).toEqual([
    'TaskProposal',
    'TaskCounterOffer',
    'IdentityLink',
  ])
  const countered = await worker.ask('counter', id, await pair.file({ maxRevisions: 2 }))
  expect(countered.sentTo).toContain(supervisor.address)
  await supervise(...receive, '--supervise', poster.address)
  await poster.receive()
  expect(await readTranscriptFile(dir, id)).toBe(await readTranscriptFile(poster.dir, id))

  const veto = { settlementDigest: countered.settlementDigest, reason: 'Too many revisions.' }
  const vetoed = JSON.parse((await supervise('say', id, 'SupervisorVeto', await pair.file(veto))).out)
  expect(vetoed).toMatchObject({ phase: 'VETOED', sentTo: [poster.address, worker.address] })
  for (const side of [poster, worker]) {
    await side.receive()
    expect(await side.ask('show', id)).toMatchObject({ phase: 'VETOED', turn: null })
  }
})
