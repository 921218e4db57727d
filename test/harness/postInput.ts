import { createSigningContext, type Deployments } from '@svc/chain'
import {
  buildTermsFromDraft,
  formatTermsText,
  type Market,
  parseTermsDraft,
  sealTerms,
  toTaskTerms,
} from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
import { encodeActionField } from '@svc/protocol/internal/actions'
import { type Address, bytesToBigInt } from 'viem'

/** Builds the input of post-task for a small task, as JSON. With a store, it lacks the statement that clients require. */
export function buildPostInput(
  deployments: Deployments,
  market: Market,
  poster: Address,
  store?: Address,
): Record<string, unknown> {
  const draft = parseTermsDraft({
    market,
    title: 'Count the birds',
    criteria: 'All of them.',
    milestones: [{ title: 'All of it', amount: '1', duration: '2 days' }],
    store: 'none',
  })
  const built = buildTermsFromDraft(draft, {
    signing: (name) => createSigningContext(deployments, name),
    poster,
    now: Math.floor(Date.now() / 1000),
    nonce: bytesToBigInt(crypto.getRandomValues(new Uint8Array(16))),
  })
  // No draft has a store without the statement.
  const document = store ? sealTerms({ ...built, store }) : built
  const terms = encodeActionField(actions['post-task'], 'terms', toTaskTerms(document))
  return { market, terms, text: formatTermsText(document), fundAmountTokWei: '0' }
}
