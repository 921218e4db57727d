import type { Market } from '../base/market.ts'

// Apart from the schemas: whoever starts to write a task loads these alone.

const MB = 1_000_000

/** Who may open a file of a brief: everybody, or the worker and in a dispute its judges. */
export const briefAudiences = ['everyone', 'worker'] as const
export type BriefAudience = (typeof briefAudiences)[number]

/** Limits of the files of a brief. They leave room for what a poster sends later: requests for changes and evidence. */
export const briefLimits = {
  files: 10,
  /** Bytes of all files of one audience, by market. */
  bytes: {
    everyone: { standard: 8 * MB, micro: 2 * MB },
    worker: { standard: 50 * MB, micro: 5 * MB },
  },
} as const satisfies { files: number; bytes: Record<BriefAudience, Record<Market, number>> }

/**
 * Says for whom a file of a brief is.
 *
 * @example
 * ```ts
 * findAudience({ name: 'customers.csv', type: 'text/csv', size: 1_200 }) // 'worker'
 * ```
 */
export const findAudience = ({ sha256 }: { sha256?: string | undefined }): BriefAudience =>
  sha256 === undefined ? 'worker' : 'everyone'

/** Finds for whom there are more bytes than the market allows; null if for nobody. */
export function findBriefExcess(
  files: readonly { size: number; sha256?: string | undefined }[],
  market: Market,
): { audience: BriefAudience; limit: number } | null {
  for (const audience of briefAudiences) {
    const limit = briefLimits.bytes[audience][market]
    const size = files.reduce((sum, each) => sum + (findAudience(each) === audience ? each.size : 0), 0)
    if (size > limit) return { audience, limit }
  }
  return null
}
