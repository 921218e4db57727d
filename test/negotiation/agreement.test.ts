import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigningContext } from '@svc/chain'
import { getChainTime } from '@svc/devnet'
import { buildTerms } from '@svc/protocol'
import { buildEnvelope, formatMessageLine, sealMessage, startChain } from '@svc/protocol/negotiation'
import { parseUnits } from 'viem'
import { expect, test } from 'vitest'
import { startForTests } from '../harness/startForTests.ts'
import { negotiate } from './negotiate.ts'
import { runProgram } from './runProgram.ts'
import { startNegotiationStage } from './stage.ts'
import { createTestWallet } from './wallet.ts'

const stage = startForTests(startNegotiationStage, 'close')

test('two processes come from a proposal to a paid task over files, and the transcript alone proves it', async () => {
  await negotiate(stage, 'file')
})

test('a contract wallet signs as its code says, which only the chain knows; a chain that is gone refuses nothing for good', async () => {
  const { devnet, folder, deployments } = stage
  const [poster, worker] = [createTestWallet().address, createTestWallet().address]
  // Code that accepts every signature (ERC-1271): it returns 0x1626ba7e.
  await devnet.client.setCode({ address: poster, bytecode: `0x7f1626ba7e${'00'.repeat(28)}60005260206000f3` })
  const now = await getChainTime(devnet.client)
  const milestones = [{ title: 'All', amountTokWei: parseUnits('1', 18), durationSeconds: 3_600 }]
  const draft = {
    poster,
    worker,
    title: 'A task',
    criteria: 'Done.',
    milestones,
    claimDeadline: now + 86_400,
    nonce: 1n,
  }
  const terms = buildTerms(draft, createSigningContext(devnet.deployments, 'micro'), now)
  const envelope = buildEnvelope(startChain(crypto.randomUUID()), {
    type: 'TaskProposal',
    payload: { terms },
    sender: { evmAddress: poster },
    timestamp: new Date(now * 1000),
  })
  const box = join(folder, 'contract', worker.toLowerCase(), 'new')
  await mkdir(box, { recursive: true })
  const put = () => writeFile(join(box, 'mail'), formatMessageLine(sealMessage(envelope, `0x${'11'.repeat(64)}1b`)))
  const receive = (environment: Record<string, string>) => {
    const places = [
      '--mailbox',
      join(folder, 'contract'),
      '--dir',
      join(folder, 'contract-dir'),
      '--deployments',
      deployments,
    ]
    return runProgram('svc-negotiate', ['receive', '--me', worker, '--timeout', '0', ...places], environment)
  }
  await put()
  expect(await receive({})).toMatchObject({
    exit: 4,
    out: expect.stringMatching(/To verify a contract wallet, set an RPC provider/),
  })
  await put()
  expect(await receive({ CHAIN_RPC_URL: 'http://127.0.0.1:1' })).toMatchObject({
    exit: 3,
    err: 'The chain cannot be reached.\n',
  })
  expect(await readdir(box)).toEqual(['mail'])
  expect(await receive({ CHAIN_RPC_URL: devnet.rpcUrl })).toMatchObject({ exit: 0 })
})
