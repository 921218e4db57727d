import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { loadDeployments } from '@svc/chain'
import { baseSepolia } from '@svc/protocol'
import { expect, test } from 'vitest'
import { checkDeployment } from '../../apps/admin/src/check/checkDeployment.ts'
import { connectAll } from '../../apps/admin/src/commands/shared.ts'
import { computeSuite } from '../../apps/admin/src/plan/plannedSuite.ts'
import { root } from '../docs/markdown.ts'
import { encryptKeystore } from './encryptKeystore.ts'
import { deployerKey, isFull, startRehearsal } from './rehearsal.ts'

test.runIf(isFull)('a command that is killed at any moment is run again, and deploys the plan once', async () => {
  const { plan, planJson, client, rpcUrl, stop } = await startRehearsal(baseSepolia.id)
  const folder = await mkdtemp(join(tmpdir(), 'kills-'))
  const file = (name: string) => join(folder, name)
  await writeFile(file('plan.json'), JSON.stringify(planJson))
  await writeFile(file('key.json'), await encryptKeystore(`0x${'d3'.repeat(32)}`, 'x'))
  const args = [`${root}apps/admin/src/main.ts`, 'deploy', '--plan', file('plan.json'), '--out', file('out.json')]
  const firstBlock = Number(await client.getBlockNumber()) + 1
  const total = computeSuite(plan).steps.length
  const env = { CHAIN_RPC_URL: rpcUrl, SVC_ADMIN_PASSWORD: 'x', PATH: '' }
  // Each run is killed two transactions after the one before it, while it sends the next.
  for (let last = 1; ; last += 2) {
    const child = spawn(process.execPath, [...args, '--keystore', file('key.json')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith(`${last}/${total} `)) child.kill('SIGKILL')
    })
    await exited
    if (last <= total) expect(child.signalCode).toBe('SIGKILL')
    else {
      expect(child.exitCode).toBe(0)
      break
    }
  }
  const deployments = await loadDeployments(file('out.json'))
  expect(deployments.startBlock).toBe(firstBlock)
  expect(await checkDeployment(plan, deployments, connectAll([rpcUrl, rpcUrl], plan.chainId))).toEqual([])
  const sent = await client.getTransactionCount({ address: deployerKey.address })
  expect(sent).toBe(total)
  await stop()
  await rm(folder, { recursive: true })
})
