import type { Deployments, MarketReader, Providers } from '@svc/chain'
import { unavailable } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { createDatabase, type DatabaseOptions } from '@svc/serve'
import type { Sql } from 'postgres'
import { type Address, erc20Abi } from 'viem'
import { createChain, notFound } from './chain.ts'
import { type PaymentClaim, provePayments, savePayment } from './payment.ts'
import { createReadChainPlans } from './plans.ts'
import { type PostClaim, provePost, savePost } from './post.ts'
import { isReplaced, type Proof } from './proof.ts'
import { type Quota, readQuota } from './quota.ts'

/** The tables of the posting quota. */
export const postingSchema: DatabaseOptions = {
  schema: 'posting',
  migrations: new URL('../../migrations/', import.meta.url),
}

/** The posting quota and its plans. */
export interface Posting {
  quota: (market: Market, wallet: Address) => Promise<Quota>
  /** Counts a post after verifying it on the chain. */
  record: (claim: PostClaim) => Promise<void>
  /** Verifies that a payment on the chain bought a plan; returns its expiry. */
  upgrade: (claim: PaymentClaim) => Promise<{ paidUntil: number }>
  allowance: ReadAllowance
}

export interface PostingOptions {
  sql: Sql
  providers: Providers
  deployments: Deployments
  direct: MarketReader
  /** Whether a market's index is close enough to the chain to be used. */
  isNear: (market: Market) => boolean
}

/** Posting on top of the tables and the chain. It holds no state in memory, so replicas need no coordination. */
export function createPosting({ sql, providers, deployments, direct, isNear }: PostingOptions): Posting {
  const database = createDatabase(sql, postingSchema)
  const chain = createChain(providers)
  const readChainPlans = createReadChainPlans(providers, deployments)
  /** Rejects a proof whose block the index has replaced: the provider that returned it lags behind the index. */
  const refuseReplaced = async (proof: Proof) => {
    if (isNear(proof.market) && (await database((sql) => isReplaced(sql, proof)))) throw notFound()
  }

  return {
    quota: (market, wallet) => readQuota({ database, chain, direct, isNear, readChainPlans }, market, wallet),

    async record(claim) {
      const proof = await provePost(chain, deployments, claim)
      await refuseReplaced(proof)
      await database((sql) => savePost(sql, proof, claim))
    },

    async upgrade(claim) {
      const payments = await provePayments(chain, deployments, claim)
      for (const payment of payments) {
        await refuseReplaced(payment)
        await database((sql) => savePayment(sql, payment, claim))
      }
      return { paidUntil: Math.max(...payments.map(({ paidUntil }) => paidUntil)) }
    },

    allowance: createReadAllowance(providers, deployments),
  }
}

/** A wallet's current token allowance for a market's payment gateway. */
type ReadAllowance = (market: Market, wallet: Address, payWith: 'tok' | 'usdc') => Promise<bigint>

/** Reads allowances from the chain. */
function createReadAllowance(providers: Providers, { shared, markets }: Deployments): ReadAllowance {
  return (market, wallet, payWith) =>
    providers
      .read(({ client }) =>
        client.readContract({
          address: shared[payWith === 'tok' ? 'tokToken' : 'usdc'],
          abi: erc20Abi,
          functionName: 'allowance',
          args: [wallet, markets[market].paymentGateway],
        }),
      )
      .catch(() => {
        throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
      })
}
