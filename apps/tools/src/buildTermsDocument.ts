import { createSigningContext } from '@svc/chain'
import { buildTermsFromDraft, type TermsDocument } from '@svc/protocol'
import { payee } from '@svc/protocol/internal/base'
import { termsDraft } from '@svc/protocol/internal/terms'
import { z } from 'zod'
import { refuseInvalidTerms } from './parseTerms.ts'
import { randomNonce } from './randomNonce.ts'
import type { ToolDeps } from './tool.ts'
import { chooseStore } from './work/termsStore.ts'

// The nonce is random, and the statement that of the wallet that signed in.
const { nonce: _, statement: __, ...shape } = termsDraft.shape

/** A draft of terms as the tools take it: the store is the market's own, unless the draft names another one or says that it wants none. */
export const toolDraft = z.strictObject({
  ...shape,
  poster: payee.check(z.describe('Wallet that posts and pays.')),
  store: termsDraft.shape.store.check(z.describe("Default: the market's own. none: silence pays for any hash.")),
})

/** Builds the terms of a draft, with the store and what speaks against having none. Throws `ToolError`. */
export async function buildTermsDocument(
  { store, ...draft }: z.output<typeof toolDraft>,
  { deployments, reader, work }: Pick<ToolDeps, 'deployments' | 'reader' | 'work'>,
): Promise<{ document: TermsDocument; warnings: string[] }> {
  const { timestamp: now } = await reader.head()
  const { fields, warnings } = await chooseStore({ ...draft, store }, work)
  const document = refuseInvalidTerms(() =>
    buildTermsFromDraft(
      { ...draft, ...fields },
      { signing: (market) => createSigningContext(deployments, market), now, nonce: randomNonce() },
    ),
  )
  return { document, warnings }
}
