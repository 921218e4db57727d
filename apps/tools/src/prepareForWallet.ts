import { type PayFrom, prepareActionJson } from '@svc/chain'
import type { AnyAction } from '@svc/protocol/actions'
import type { Address } from 'viem'
import { listDomains, type Markets } from './market.ts'
import { checkPostingQuota } from './postingQuota.ts'
import { assertChain } from './prepare/actionCommand.ts'
import { fillInput } from './prepare/fillInput.ts'
import type { PreparedAction } from './tool.ts'

/**
 * Completes an input from the chain and prepares the action, as the command does. Throws `PrepareError`, a `ZodError`, or a
 * `ServiceError` if the posting quota is used up.
 */
export async function prepareForWallet(
  action: AnyAction,
  given: Readonly<Record<string, unknown>>,
  from: Address,
  { markets, apiUrl, payFrom }: { markets: Markets; apiUrl: string | undefined; payFrom?: PayFrom | undefined },
): Promise<PreparedAction> {
  await assertChain(markets)
  const { input, json } = await fillInput(action, given, { from, markets })
  const prepared = await prepareActionJson(markets.providers, markets.places, {
    action,
    input,
    from,
    domains: listDomains(apiUrl),
    payFrom,
  })
  return {
    prepared: await checkPostingQuota(prepared, apiUrl),
    claimDigest: json.claimDigest ?? null,
    terms: json.terms ?? input.terms ?? null,
    text: json.untrustedText ?? (typeof input.text === 'string' ? input.text : null),
  }
}
