import { disputes, lifecycle } from '@svc/protocol/lifecycle'
import { expect, test } from 'vitest'
import { compareCalls, findPurpose, type Purpose } from './purposes.ts'

const [funded, unfunded] = [100n, 0n].map((amount) => ({ funded: amount, released: 0n, refunded: 0n })) as [Held, Held]
type Held = Parameters<typeof findPurpose>[1]

test('every call that anyone may make has the purpose of the money that it moves', () => {
  const due = new Set(['releaseLapsed', 'expire', 'finalize', 'resolveTimedOut'])
  const found = [...lifecycle, ...disputes]
    .filter(({ by, operation }) => by === 'anyone' && due.has(operation))
    .map((row) => `${row.operation} ${row.from}: ${findPurpose({ row }, funded)}`)
  expect([...new Set(found)]).toEqual([
    'releaseLapsed ACTIVE: payout',
    'expire POSTED: refund',
    'expire CLAIMED: refund',
    'expire ACTIVE: refund',
    'finalize RULED: payout',
    'resolveTimedOut OPEN: refund',
    'resolveTimedOut EVIDENCE: refund',
    'resolveTimedOut COURT: payout',
  ])
  const expire = lifecycle.find(({ operation, from }) => operation === 'expire' && from === 'POSTED')
  if (!expire) throw new Error('The lifecycle has no such row.')
  expect(findPurpose({ row: expire }, unfunded)).toBe('housekeeping')
})

test('payouts come first, and what has been due for longest within a purpose', () => {
  const call = (purpose: Purpose, since: number) => ({ purpose, since })
  const ordered = [
    call('payout', 8),
    call('payout', 9),
    call('refund', 4),
    call('refund', 5),
    call('housekeeping', 1),
    call('housekeeping', 2),
  ]
  expect(ordered.toReversed().toSorted(compareCalls)).toEqual(ordered)
})
