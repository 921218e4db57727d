import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSafeBatch, type SafeBatch, splitByGas } from '@svc/protocol/internal/steps'
import type { Plan } from '../plan/planFile.ts'
import { computeSuite } from '../plan/plannedSuite.ts'

/** Creates the batches with which a Safe deploys a plan, without the steps that are done. */
export function createDeployBatches(plan: Plan, done = 0): SafeBatch[] {
  const steps = computeSuite(plan).steps.slice(done)
  const parts = splitByGas(steps, BigInt(plan.maxBatchGas))
  return parts.map((part, index) =>
    createSafeBatch(
      {
        chainId: plan.chainId,
        safe: plan.deployer,
        name: `Deploy ${plan.suite}, part ${index + 1} of ${parts.length}`,
        description: part.map(({ name }) => name).join(', '),
      },
      part,
    ),
  )
}

/** Writes batches to a folder and returns their files, in the order of their execution. */
export async function writeBatches(folder: string, batches: readonly SafeBatch[]): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const files = batches.map((_, index) => join(folder, `batch-${String(index + 1).padStart(2, '0')}.json`))
  for (const [index, file] of files.entries()) await writeFile(file, `${JSON.stringify(batches[index], null, 2)}\n`)
  return files
}
