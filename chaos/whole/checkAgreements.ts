import { taskRegistryAbi } from '@svc/protocol/abis'
import { verifyAgreement } from '@svc/protocol/negotiation'
import { expectSame, type FinalState } from './finalState.ts'

/** Checks that both parties have the same transcript of every private task, and that it proves the digest on chain. */
export async function checkAgreements(final: FinalState): Promise<void> {
  const { chain, agreements } = final
  for (const { run, files } of await agreements.files()) {
    const { taskRegistry: address } = chain.deployments.markets[run.market]
    const args = [run.number ?? 0n] as const
    const digest = await chain.client.readContract({
      address,
      abi: taskRegistryAbi,
      functionName: 'settlementDigestOf',
      args,
    })
    expectSame(final, `the transcripts of run ${run.index}`, files[0], files[1])
    const { settlementDigest } = await verifyAgreement(files[0] ?? '', { digest })
    expectSame(final, `the digest of run ${run.index}`, settlementDigest, digest)
  }
}
