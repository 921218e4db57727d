import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { accounts, advanceTime, refreshPrice } from '@svc/devnet'
import { timelockDelay } from '@svc/protocol/internal/money'
import type { SafeCall } from '@svc/protocol/internal/steps'
import { expect } from 'vitest'
import { z } from 'zod'
import { runAdmin } from '../../apps/admin/src/commands.ts'
import { encryptKeystore } from './encryptKeystore.ts'
import type { Deployed } from './plantedDifferences.ts'
import { guardianKey } from './rehearsal.ts'

/** What a command printed, and its exit code. */
interface Output {
  code: number
  text: string
}

/** The commands of those who govern a deployment. */
export interface Governance {
  /** Runs a command line. */
  run: (...argv: string[]) => Promise<Output>
  /** Runs `gov` with these arguments. */
  gov: (...argv: string[]) => Promise<Output>
  /** Runs `gov` with the guardian's keystore, and sends. */
  govAsGuardian: (...argv: string[]) => Promise<Output>
  /** Lets the governors' Safe make one stage of a change. */
  govern: (stage: string, ...argv: string[]) => Promise<void>
  /** Schedules a change, waits for the timelock, and executes it. */
  changeAsOwner: (...argv: string[]) => Promise<void>
}

/** The password of every keystore of a rehearsal. */
export const password = 'correct horse battery staple'
const batchShape = z.object({ transactions: z.array(z.object({ to: z.string(), data: z.string() })) })

/** Writes the files that the commands read into a folder, and returns the commands. */
export async function openGovernance(deployed: Deployed, folder: string): Promise<Governance> {
  const file = (name: string) => join(folder, name)
  await saveDeployments(file('deployments.json'), deployed.deployments)
  await writeFile(file('guardian.json'), await encryptKeystore(guardianKey, password))
  await writeFile(file('password'), `${password}\n`)

  const run = async (...argv: string[]) => {
    const lines: string[] = []
    const print = (text: string) => lines.push(text)
    const environment = { CHAIN_RPC_URL: deployed.rpcUrl }
    const code = await runAdmin(argv, { environment, print, warn: print })
    return { code, text: lines.join('\n') }
  }
  const gov = (...argv: string[]) => run('gov', ...argv, '--deployments', file('deployments.json'))
  const govern = async (stage: string, ...argv: string[]) => {
    const out = file('batch.json')
    const { address } = deployed.governor
    const { code, text } = await gov(...argv, '--stage', stage, '--safe', address, '--out', out)
    expect(text).toContain('Wrote')
    expect(code).toBe(0)
    const { transactions } = batchShape.parse(JSON.parse(await readFile(out, 'utf8')))
    await deployed.governor.execute(transactions as SafeCall[])
  }
  return {
    run,
    gov,
    govern,
    govAsGuardian: (...argv) =>
      gov(...argv, '--keystore', file('guardian.json'), '--password-file', file('password'), '--send'),
    async changeAsOwner(...argv) {
      await govern('schedule', ...argv)
      const early = await gov(...argv, '--stage', 'execute')
      expect(early).toMatchObject({ code: 1, text: expect.stringContaining('it can be executed from') })
      await advanceTime(deployed.client, timelockDelay + 1)
      await refreshPrice(deployed.client, accounts.deployer)
      await govern('execute', ...argv)
    },
  }
}
