import { createProvider, createRpc, createViemChain } from '@svc/chain'
import { base } from '@svc/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDeployment } from '../../apps/admin/src/check/checkDeployment.ts'
import { deploySuite } from '../../apps/admin/src/deploy/deploySuite.ts'
import { computeSuite } from '../../apps/admin/src/plan/plannedSuite.ts'
import { buildStandardInput } from '../../apps/admin/src/verify/standardInput.ts'
import { buildVerifications, loadCompiler } from '../../apps/admin/src/verify/writeInputs.ts'
import { type Deployed, plantedDifferences } from './plantedDifferences.ts'
import { createState, isFull, startRehearsal } from './rehearsal.ts'

let deployed: Deployed
beforeAll(async () => {
  const rehearsal = await startRehearsal(base.id)
  const { plan, provider, signer } = rehearsal
  const state = createState(plan)
  const deployments = await deploySuite({ plan, client: provider, signer, state, save: async () => {}, pollMs: 5 })
  deployed = { ...rehearsal, deployments }
})
afterAll(() => deployed?.stop())

const connect = (name: string) =>
  createProvider(createRpc({ name, url: deployed.rpcUrl }), createViemChain(deployed.plan.chainId))

test('a deployment is what its plan says, by two providers', async () => {
  const { plan, deployments } = deployed
  expect(await checkDeployment(plan, deployments, [connect('provider 1'), connect('provider 2')])).toEqual([])
})

test('at least 30 differences are planted', () => expect(plantedDifferences.length).toBeGreaterThanOrEqual(30))

/** CI looks for some of each kind; each check reads a hundred values. */
const chosen = plantedDifferences.filter((_, index) => isFull || index % 6 === 0)

test.each(chosen)('finds $title', async ({ plant, file, second, path }) => {
  const { client, plan, deployments } = deployed
  const snapshot = await client.snapshot()
  await plant?.(deployed)
  const providers = second ? [connect('provider 1'), second(deployed)] : [connect('provider 1')]
  const found = await checkDeployment(plan, file?.(deployments) ?? deployments, providers)
  expect(found.map((each) => each.path)).toContainEqual(expect.stringMatching(path))
  if (second) expect(found.every(({ provider }) => provider === 'provider 2')).toBe(true)
  await client.revert({ id: snapshot })
})

test.runIf(isFull)('plain solc compiles every contract to the bytes that were deployed', async () => {
  const { plan } = deployed
  const { inputs, verifications } = await buildVerifications(plan, loadCompiler())
  expect(inputs.size).toBe(15)
  expect(verifications).toHaveLength(computeSuite(plan).steps.length)
})

test('plain solc compiles the token to the bytes that were deployed, and a changed token to others', async () => {
  const { compile, version } = loadCompiler()
  expect(version).toBe('v0.8.37+commit.f401782d')
  const source = 'contracts/src/TokToken.sol'
  const { data = '0x' } = computeSuite(deployed.plan).creations.find(({ name }) => name === 'TokToken') ?? {}
  const input = await buildStandardInput(source)
  expect(data.startsWith(compile(input, source, 'TokToken'))).toBe(true)
  if (!isFull) return
  const content = (input.sources[source]?.content ?? '').replace('1_000_000_000e18', '2_000_000_000e18')
  const changed = { ...input, sources: { ...input.sources, [source]: { content } } }
  expect(data.startsWith(compile(changed, source, 'TokToken'))).toBe(false)
})
