import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJournalFile, createSigner, type GrantRequest, planGrant, revokeGrant, signGrant } from '@svc/agent'
import { createSigningContext } from '@svc/chain'
import {
  accounts,
  createScene,
  deployDelegationFramework,
  type Job,
  sendPost,
  sendTokens,
  sendTopUp,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import { computeSettlementDigest } from '@svc/protocol'
import { depositVaultAbi } from '@svc/protocol/abis'
import { erc20Abi, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const market = 'micro'

export type AgentWorld = Awaited<ReturnType<typeof createAgentWorld>>

/** A chain with the account of an agent, its grant and its signer, and one who would rob it. No service runs. */
export async function createAgentWorld(wanted: Partial<GrantRequest> = {}) {
  const devnet = await startDevnet()
  const { client, deployments } = devnet
  await setUpMarkets(client, deployments)
  const scene = createScene(client, deployments, market)
  const environment = await deployDelegationFramework(client)
  const [owner, session] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const thief = accounts.emeka
  await client.setBalance({ address: owner.address, value: parseEther('10') })
  await sendTokens(client, deployments, owner.address, { tok: parseUnits('50000', 18), usdc: parseUnits('500', 6) })
  await sendTokens(client, deployments, thief.address, { tok: parseUnits('500000', 18), usdc: parseUnits('2000', 6) })
  await sendTopUp(scene, thief, parseUnits('2000', 6))
  const { timestamp } = await client.getBlock()
  const { shared, markets } = deployments
  const plan = await planGrant(client, environment, owner.address, {
    apiUrl: 'http://127.0.0.1:9',
    market,
    contracts: { ...shared, ...markets[market] },
    session: session.address,
    uses: ['earn'],
    claims: 3,
    hires: 0,
    budgetTokWei: 0n,
    depositUsdc: parseUnits('51', 6),
    until: Number(timestamp) + 90 * 86_400,
    gasWei: parseEther('0.05'),
    ...wanted,
  })
  const grant = await signGrant(client, environment, owner, plan)
  // Its gas is no limit of these tests.
  await client.setBalance({ address: session.address, value: parseEther('100') })
  const folder = await mkdtemp(join(tmpdir(), 'agent-'))
  const journal = createJournalFile(join(folder, 'journal.jsonl'))
  const read = { abi: erc20Abi, functionName: 'balanceOf', args: [owner.address] } as const
  return {
    devnet,
    folder,
    scene,
    environment,
    owner,
    session,
    thief,
    grant,
    signer: createSigner({ grant, session, chain: client, journal }),
    revoke: () => revokeGrant(client, environment, owner, grant),
    /** A task of the thief, with all of its pay in escrow. */
    postAsThief: (): Promise<Job> =>
      sendPost(scene, {
        poster: thief,
        text: 'Work',
        amounts: [parseUnits('100', 18)],
        duration: scene.params.minDuration,
        reviewWindow: scene.params.minReviewWindow,
      }),
    computeDigest: ({ terms }: Job) =>
      computeSettlementDigest(createSigningContext(deployments, market), terms, owner.address),
    /** What the owner can have back without anybody: locked money counts as lost. */
    async readOwned() {
      const { tokToken, usdc, depositVault } = scene.contracts
      const [tok, dollars, deposit] = await Promise.all([
        client.readContract({ address: tokToken, ...read }),
        client.readContract({ address: usdc, ...read }),
        client.readContract({ address: depositVault, ...read, abi: depositVaultAbi }),
      ])
      return { tok, usdc: dollars + deposit, ether: await client.getBalance({ address: owner.address }) }
    },
    async stop() {
      await devnet.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
