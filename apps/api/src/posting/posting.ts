import type { Deployments, MarketReader, Providers } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { createReadAllowance, type ReadAllowance } from './allowance.ts'
import { createChain, notFound } from './chain.ts'
import { createDatabase } from './database.ts'
import { type PaymentClaim, provePayments, savePayment } from './payment.ts'
import { type PostClaim, provePost, savePost } from './post.ts'
import { isReplaced, type Proof } from './proof.ts'
import { type Quota, readQuota } from './quota.ts'

/** The posting quota and its plans. */
export interface Posting {
  quota: (market: Market, wallet: Address) => Promise<Quota>
  /** Counts a post that the chain bears out. */
  record: (claim: PostClaim) => Promise<void>
  /** Grants what a payment on the chain bought; answers until when. */
  upgrade: (claim: PaymentClaim) => Promise<{ paidUntil: number }>
  allowance: ReadAllowance
}

export interface PostingOptions {
  sql: Sql
  providers: Providers
  places: Deployments
  direct: MarketReader
  /** Whether the index of a market can be relied on now. */
  isNear: (market: Market) => boolean
}

/** Posting over the tables and the chain. It keeps nothing in memory: replicas need not know of each other. */
export function createPosting({ sql, providers, places, direct, isNear }: PostingOptions): Posting {
  const database = createDatabase(sql)
  const chain = createChain(providers)
  /** The index has been past a proof's block and has another there: the chain that was asked is behind it. */
  const refuseReplaced = async (proof: Proof) => {
    if (isNear(proof.market) && (await database((sql) => isReplaced(sql, proof)))) throw notFound()
  }

  return {
    quota: (market, wallet) => readQuota({ database, chain, direct, isNear }, market, wallet),

    async record(claim) {
      const proof = await provePost(chain, places, claim)
      await refuseReplaced(proof)
      await database((sql) => savePost(sql, proof, claim))
    },

    async upgrade(claim) {
      const payments = await provePayments(chain, places, claim)
      for (const payment of payments) {
        await refuseReplaced(payment)
        await database((sql) => savePayment(sql, payment, claim))
      }
      return { paidUntil: Math.max(...payments.map(({ paidUntil }) => paidUntil)) }
    },

    allowance: createReadAllowance(providers, places),
  }
}
