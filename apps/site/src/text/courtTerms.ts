import type { OutputJson } from '@svc/operations'
import { formatAmount } from '@svc/protocol'
import { spellDuration } from './duration.ts'

type Court = OutputJson<'getCourt'>['court']

/** Formats basis points: "12.5 %". */
export const formatCourtShare = (share: number) => `${share / 100} %`

const kinds: Readonly<Record<Court['kind'], (court: Court) => string>> = {
  safe: ({ signatures }) => `a group of people, of whom ${signatures} must agree`,
  reality: () => 'the public, by bonds, on what a party publishes',
  contract: () => 'a contract that this page does not know',
  wallet: () => 'one person’s wallet, as on test networks only',
}

/** Says in one sentence what a market's court is, how long it takes and what it costs. */
export function describeCourtTerms(court: Court): string {
  const { windowSeconds, feeUsdc, appealFeeUsdc, shareBps, maxShareTokWei } = court
  const usdc = (amount: string) => formatAmount(BigInt(amount), 'usdc')
  return `Final court: ${kinds[court.kind](court)}. It has ${spellDuration(windowSeconds)}, and gets ${usdc(feeUsdc)} from the side that loses, ${usdc(appealFeeUsdc)} for an appeal, and ${formatCourtShare(shareBps)} of what it moves, at most ${formatAmount(BigInt(maxShareTokWei), 'tok')}.`
}

/** The link to the page of the court. */
export const aboutCourt = 'About this court'
