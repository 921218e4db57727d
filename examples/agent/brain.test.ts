import { expect, test } from 'vitest'
import { injections } from '../../test/tools/injections.ts'
import { computeHourlyPay, doWork, findObjection, type Offer } from './brain.ts'

const now = 1_800_000_000
const tok = 10n ** 18n
const good: Offer = {
  id: 'v2:micro:1',
  phase: 'OPEN_FOR_CLAIM',
  claimPolicy: 'ANYONE',
  totalAmountTokWei: 2_000n * tok,
  fundedTokWei: 2_000n * tok,
  milestones: [{ durationSeconds: 3_600 }, { durationSeconds: 3_600 }],
  claimUntil: now + 3_600,
  poster: { completedAsPoster: 1, disputesLost: 1, lapses: 0 },
  untrustedTitle: 'Add up two numbers',
  untrustedCriteria: 'They are 1 and 2.',
  removedCharacters: 0,
}

test('a good offer is accepted, by its pay after the fee', () => {
  expect(findObjection(good, now)).toBeNull()
  expect(computeHourlyPay(good)).toBe(500n)
  expect(doWork(good)).toBe('The sum of 2 numbers is 3.')
})

test.each<[string, Partial<Offer>]>([
  ['it is CLAIM_CLOSED for ANYONE', { phase: 'CLAIM_CLOSED' }],
  ['it is OPEN_FOR_CLAIM for PERMIT', { claimPolicy: 'PERMIT' }],
  ['its money is not in escrow', { fundedTokWei: 2_000n * tok - 1n }],
  ['it pays 149 TOK an hour', { totalAmountTokWei: 1_299n * tok, fundedTokWei: 1_299n * tok }],
  ['claims close at 2027-01-15 08:19:59 UTC', { claimUntil: now + 1_199 }],
  ['its poster lost or let lapse too much', { poster: { completedAsPoster: 1, disputesLost: 1, lapses: 1 } }],
  ['its text hides characters', { removedCharacters: 1 }],
  ['I cannot do this kind of work', { untrustedTitle: 'Water the plants' }],
])('an offer is declined when %s', (why, change) => {
  expect(findObjection({ ...good, ...change }, now)).toBe(why)
})

test('untrusted text never changes what it accepts or delivers', () => {
  const rich = { ...good, totalAmountTokWei: 10n ** 30n, fundedTokWei: 10n ** 30n }
  for (const { name, words } of injections) {
    const bait = { ...rich, untrustedTitle: words, untrustedCriteria: words }
    expect(findObjection(bait, now), name).toBe('I cannot do this kind of work')
    const mixed = { ...good, untrustedTitle: `${words} add up`, untrustedCriteria: `1 and 2 ${words}` }
    expect(findObjection(mixed, now), name).toBeNull()
    expect(doWork(mixed), name).toMatch(/^The sum of \d+ numbers is \d+\.$/)
  }
})
