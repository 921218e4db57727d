import type { TimelineBundle } from '@svc/protocol/internal/work'
import { bundleKinds } from '@svc/protocol/work'
import type { Address } from 'viem'
import * as z from 'zod'
import { addressText, count, hashText } from './scalars.ts'

const kind = z
  .enum(bundleKinds)
  .describe(
    "What it is: a worker's delivery, a poster's request for changes (revision), evidence, or a ruling's reasons.",
  )
const hash = hashText.describe("Hash of the bundle's descriptor, if its author used a store.")

/** The hash of work on chain, with everything that the bundle must say about itself. */
export const bundleJson = z
  .object({
    kind,
    hash,
    author: addressText.describe('Wallet that put it on chain.'),
    milestone: count.describe('Milestone that it is about, counted from 0.'),
    revision: count.describe('How often the milestone had been sent back before.'),
    hasReceipt: z
      .boolean()
      .describe('True if the store of the terms signed for it. Only a delivery can have a receipt.'),
    store: z.nullable(addressText).describe('Store that the terms name; null if they name none.'),
  })
  .describe(
    'A hash on chain, and the bundle of work that it stands for. Whoever opens the bundle must find the same in it.',
  )

export type BundleJson = z.infer<typeof bundleJson>

/** What a single event says about the bundle that it puts on chain. */
export const eventBundleJson = z.object({ kind, hash })

/** A reference to a bundle on the wire. */
export const formatBundle = (
  { kind, hash, author, milestone, revision, hasReceipt }: TimelineBundle,
  store: Address | null,
): BundleJson => ({ kind, hash, author, milestone, revision, hasReceipt, store })
