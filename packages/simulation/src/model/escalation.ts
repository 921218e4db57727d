// A question at Reality.eth as a game of money: who gains from an escalation, what a griefer loses, and what a delay costs.
// contracts/test/courts/escalation.t.sol plays the same with its bytecode.

/** One answer. The bond is in wei, the time in seconds from when the case could be asked. */
export interface Answer {
  by: string
  isRight: boolean
  bond: bigint
  at: number
}

/** The rules of the game. Tests break one of them to show that the properties notice it. */
export interface EscalationRules {
  /** Each bond is at least so many times the last one. */
  factor: bigint
  /** What is burnt of every bond but the last: one part of so many; zero for nothing. */
  burnPart: bigint
  /** Whoever takes over a right answer pays its giver as much as that bond. */
  paysTakeover: boolean
}

export const realityRules: EscalationRules = { factor: 2n, burnPart: 40n, paysTakeover: true }

/** What everybody has more or less than before, in wei, when the last answer is final; and what was burnt. */
export function computeEscalation(
  answers: readonly Answer[],
  bounty: bigint,
  { burnPart, paysTakeover }: EscalationRules = realityRules,
): { payoffs: ReadonlyMap<string, bigint>; burnt: bigint } {
  const payoffs = new Map<string, bigint>()
  const change = (who: string, amount: bigint) => payoffs.set(who, (payoffs.get(who) ?? 0n) + amount)
  const last = answers.at(-1)
  if (!last) return { payoffs, burnt: 0n }
  let [payee, pot, burnt] = [last.by, bounty, 0n]
  // From the last answer to the first, as it is claimed.
  for (const [index, { by, isRight, bond }] of [...answers.entries()].reverse()) {
    change(by, -bond)
    const burn = burnPart === 0n || index === answers.length - 1 ? 0n : bond / burnPart
    burnt += burn
    if (isRight === last.isRight && by !== payee) {
      const takeover = paysTakeover ? (pot < bond ? pot : bond) : 0n
      change(payee, pot - takeover)
      ;[payee, pot] = [by, takeover]
    }
    pot += bond - burn
  }
  change(payee, pot)
  return { payoffs, burnt }
}

/** The time in which a case must be asked and answered, and how long an answer must stand, in seconds. */
export interface EscalationTimes {
  answerTime: number
  timeout: number
}

/**
 * Plays a griefer who keeps a question open until the window is over, and somebody who answers each of their answers at once. Both
 * bond as little as counts, and the griefer waits as long as they can.
 */
export function playForTime(
  { answerTime, timeout }: EscalationTimes,
  minBond: bigint,
  { factor }: EscalationRules = realityRules,
): Answer[] {
  const answers: Answer[] = []
  for (let [at, bond] = [0, minBond]; ; at += timeout, bond *= factor) {
    answers.push({ by: 'honest', isRight: true, bond, at })
    // This answer is final in time, unless another one comes just before.
    if (at + timeout > answerTime) return answers
    bond *= factor
    answers.push({ by: 'griefer', isRight: false, bond, at: at + timeout })
  }
}

/** Lists every escalation of so many answers by these wallets, each with the least bond. */
export function listEscalations(
  wallets: readonly string[],
  length: number,
  { factor }: EscalationRules = realityRules,
): Answer[][] {
  if (length === 0) return [[]]
  return listEscalations(wallets, length - 1).flatMap((before) =>
    wallets.flatMap((by) =>
      [true, false].map((isRight) => [
        ...before,
        { by, isRight, bond: 10n ** 6n * factor ** BigInt(before.length), at: before.length },
      ]),
    ),
  )
}
