import { type Deployments, findDeploymentDifference, type Provider } from '@svc/chain'
import { keccak256 } from 'viem'
import type { Plan } from '../plan/planFile.ts'
import { computeSuite } from '../plan/plannedSuite.ts'
import { checkPool } from './checkPool.ts'
import { deriveFacts } from './expectedFacts.ts'
import { compareFacts, type Difference } from './facts.ts'
import { readFacts } from './readFacts.ts'

/**
 * Derives from the plan what must be true, reads it from every provider, and lists the differences: code, roles, parameters and
 * wiring, the pool where TOK is traded, and whether the deployments file is that of the plan.
 */
export async function checkDeployment(
  plan: Plan,
  deployments: Deployments,
  providers: readonly Provider[],
): Promise<Difference[]> {
  const expected = deriveFacts(plan, deployments)
  const found = compareFile(plan, deployments)
  for (const provider of providers) {
    const { name } = provider.rpc
    found.push(...compareFacts(expected, await readFacts(provider, plan, deployments), name))
    found.push(...(await compareHashes(provider, deployments)))
    found.push(...(await checkPool(provider, deployments)))
  }
  return found
}

/** Compares the deployments file with the addresses of the plan. */
function compareFile(plan: Plan, deployments: Deployments): Difference[] {
  const planned = { ...computeSuite(plan), startBlock: deployments.startBlock }
  const difference = findDeploymentDifference(planned, deployments)
  if (!difference) return []
  const { path, known, other } = difference
  return [{ path: `file.${path}`, expected: known, found: other, provider: 'the deployments file' }]
}

/** Compares the hashes of the deployments file with the code that a provider has. */
async function compareHashes({ client, rpc }: Provider, { codeHashes = {} }: Deployments): Promise<Difference[]> {
  const found: Difference[] = []
  for (const [address, hash] of Object.entries(codeHashes)) {
    const code = await client.getCode({ address: address as `0x${string}` }).catch(() => undefined)
    const other = keccak256(code ?? '0x')
    if (other !== hash)
      found.push({ path: `file.codeHashes.${address}`, expected: hash, found: other, provider: rpc.name })
  }
  return found
}

/** Formats differences, one line each. */
export const formatDifferences = (differences: readonly Difference[]): string =>
  differences
    .map(({ path, expected, found, provider }) => `${path}: expected ${expected}, but ${provider} has ${found}`)
    .join('\n')
