import { taskRegistryAbi } from '@svc/protocol/abis'
import { verifyAgreement } from '@svc/protocol/negotiation'
import { demandSame, type Final } from './verdict.ts'

/** Whether both parties' transcripts of every private task are the same, and prove what the chain has. */
export async function judgeAgreements(final: Final): Promise<void> {
  const { chain, agreements } = final
  for (const { life, files } of await agreements.files()) {
    const { taskRegistry: address } = chain.deployments.markets[life.market]
    const args = [life.number ?? 0n] as const
    const digest = await chain.client.readContract({
      address,
      abi: taskRegistryAbi,
      functionName: 'settlementDigestOf',
      args,
    })
    demandSame(final, `the transcripts of life ${life.index}`, files[0], files[1])
    const { settlementDigest } = await verifyAgreement(files[0] ?? '', { digest })
    demandSame(final, `the digest of life ${life.index}`, settlementDigest, digest)
  }
}
