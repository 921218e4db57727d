import { type Market, markets } from '@svc/protocol'
import { computeDelayCost, realityCourtTimes } from '@svc/protocol/internal/money'
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import {
  type Answer,
  computeEscalation,
  type EscalationRules,
  listEscalations,
  playForTime,
  realityRules,
} from './escalation.ts'

const bounty = parseEther('0.01')
const minBond = parseEther('0.02')

test.each([
  ['right, wrong, right', [true, false, true], { first: '0.0195', griefer: '-0.04', last: '0.029' }],
  ['right, wrong, and nobody answers', [true, false], { first: '-0.02', griefer: '0.0295' }],
] as const)('%s: the payoffs that were measured with the bytecode', (_, sides, expected) => {
  const names = ['first', 'griefer', 'last']
  const answers = sides.map((isRight, at): Answer => {
    return { by: names[at] ?? '', isRight, bond: minBond * 2n ** BigInt(at), at }
  })
  const { payoffs } = computeEscalation(answers, bounty)
  expect(Object.fromEntries(payoffs)).toEqual(
    Object.fromEntries(Object.entries(expected).map(([who, ether]) => [who, parseEther(ether)])),
  )
})

/** What must hold, by name: null, or what does not. */
const properties: Readonly<Record<string, (rules: EscalationRules) => string | null>> = {
  'no money is made': (rules) =>
    findAmong(rules, ({ payoffs, burnt, paid }) => {
      const sum = [...payoffs.values()].reduce((total, each) => total + each, 0n)
      return sum + burnt === paid
    }),
  'whoever was right, and only answered the wrong, loses at most what is burnt': (rules) =>
    findAmong(rules, ({ answers, payoffs, burnt }) => {
      const isRight = answers.at(-1)?.isRight
      const isFair = (who: string) =>
        answers.every(
          (each, index) => each.by !== who || (each.isRight === isRight && answers[index - 1]?.isRight !== isRight),
        )
      return [...payoffs].every(([who, payoff]) => !isFair(who) || payoff >= -burnt)
    }),
  // Else somebody would take the fees of a case by saying last what is known already.
  'taking over a right answer costs its bond': (rules) =>
    findAmong(rules, ({ answers: [one, two, more], payoffs, paid }) => {
      if (!one || !two || more || one.by === two.by || one.isRight !== two.isRight) return true
      return (payoffs.get(two.by) ?? 0n) <= paid - one.bond
    }),
  'whoever was only wrong loses every bond': (rules) =>
    findAmong(rules, ({ answers, payoffs }) => {
      const isRight = answers.at(-1)?.isRight
      const wrong = [...payoffs].filter(([who]) => answers.every((each) => each.by !== who || each.isRight !== isRight))
      return wrong.every(([who, payoff]) => {
        const bonds = answers.filter(({ by }) => by === who).map(({ bond }) => bond)
        return payoff === -bonds.reduce((total, each) => total + each, 0n)
      })
    }),
  'answering oneself costs more than nothing': (rules) =>
    findAmong(rules, ({ answers, payoffs, paid }) => {
      const own = [...payoffs.values()].reduce((total, each) => total + each, 0n)
      return answers.length < 2 || own < paid
    }),
  'a delay past the window costs what the plan says': (rules) => {
    const wrong = markets.filter((market) => computeDelay(market, rules) < computeDelayCost(market, minBond))
    return wrong.length > 0 ? wrong.join() : null
  },
}

const computeDelay = (market: Market, rules: EscalationRules) => {
  const { payoffs } = computeEscalation(playForTime(realityCourtTimes[market], minBond, rules), bounty, rules)
  return -(payoffs.get('griefer') ?? 0n)
}

/** Finds an escalation of up to four answers by three wallets for which something does not hold. */
function findAmong(
  rules: EscalationRules,
  holds: (end: ReturnType<typeof computeEscalation> & { answers: Answer[]; paid: bigint }) => boolean,
): string | null {
  const paid = 10n ** 5n
  for (let length = 1; length <= 4; length++)
    for (const answers of listEscalations(['a', 'b', 'c'], length, rules))
      if (!holds({ ...computeEscalation(answers, paid, rules), answers, paid }))
        return answers.map(({ by, isRight }) => `${by} ${isRight}`).join(', ')
  return null
}

const findBroken = (rules: EscalationRules) =>
  Object.entries(properties).flatMap(([name, find]) => (find(rules) === null ? [] : [name]))

test('in every escalation of up to four answers by three wallets, money is kept, the right lose nothing, and the wrong lose everything', () => {
  expect(findBroken(realityRules)).toEqual([])
})

test.each([
  [{ factor: 1n }, 'a delay past the window costs what the plan says'],
  [{ burnPart: 0n }, 'answering oneself costs more than nothing'],
  [{ paysTakeover: false }, 'taking over a right answer costs its bond'],
] satisfies [Partial<EscalationRules>, keyof typeof properties][])(
  'a planted defect is noticed: %o',
  (defect, noticed) => {
    expect(findBroken({ ...realityRules, ...defect })).toContain(noticed)
  },
)

test('who plays for time loses 2,730 times the least bond, in both markets, and the other side gains it', () => {
  for (const market of markets) {
    const answers = playForTime(realityCourtTimes[market], minBond)
    const { payoffs } = computeEscalation(answers, bounty)
    expect([payoffs.get('griefer'), payoffs.get('honest')]).toEqual([parseEther('-54.6'), parseEther('52.5625')])
    expect(computeDelayCost(market, minBond)).toBe(parseEther('54.6'))
    // Six timeouts: three, the least that the contract accepts, would make it 42 times.
    const shorter = { ...realityCourtTimes[market], timeout: realityCourtTimes[market].answerTime / 3 }
    const cheap = computeEscalation(playForTime(shorter, minBond), bounty).payoffs.get('griefer')
    expect(cheap).toBe(-42n * minBond)
  }
})
