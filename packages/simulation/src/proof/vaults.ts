import type { Term, Update } from './path.ts'

// The books of the vaults, as the contracts keep them.

export type Party = 'poster' | 'worker'

/** What the escrow holds for a task. */
export const held = '(- funded released refunded)'

/** A payment arrives, or any part of it waits for `withdraw`: a receiver that cannot be paid stops nothing. */
export const pushEscrow = (amount: Term): NonNullable<Update['set']> => ({
  escrowBalance: `(- escrowBalance (- ${amount} ?deferred))`,
  escrowWaiting: '(+ escrowWaiting ?deferred)',
})

export const pushArbitration = (amount: Term): NonNullable<Update['set']> => ({
  arbitrationBalance: `(- arbitrationBalance (- ${amount} ?deferred))`,
  arbitrationWaiting: '(+ arbitrationWaiting ?deferred)',
})

export const lockExit = (party: Party, amount: Term = 'exitDeposit'): Update => ({
  let: { locked: amount },
  pulls: ['?locked'],
  set: { [`${party}Exit`]: `(+ ${party}Exit ?locked)`, escrowBalance: '(+ escrowBalance ?locked)' },
})

/** The exit deposit leaves the vault, if the condition holds. Who gets it makes no difference to the books. */
export const payExit = (party: Party, condition: Term = 'true'): Update => ({
  let: { paid: `(ite ${condition} ${party}Exit 0)` },
  set: { [`${party}Exit`]: `(- ${party}Exit ?paid)`, ...pushEscrow('?paid') },
})

/** Raises a reserve. Only the guards of the row make sure that the deposit suffices. */
export const addReserve = (party: Party, amount: Term): Update => ({
  let: { added: amount },
  set: { [`${party}Reserve`]: `(+ ${party}Reserve ?added)`, [`${party}Reserved`]: `(+ ${party}Reserved ?added)` },
})

export const freeReserve = (party: Party, condition: Term = 'true'): Update => ({
  let: { freed: `(ite ${condition} ${party}Reserve 0)` },
  set: { [`${party}Reserve`]: `(- ${party}Reserve ?freed)`, [`${party}Reserved`]: `(- ${party}Reserved ?freed)` },
})

/** Moves a part of a reserve into another deposit: at most the amount, and at most the reserve. */
export const takePenalty = (party: Party, amount: Term): Update => ({
  facts: [`(<= ?paid ${amount})`, `(<= ?paid ${party}Reserve)`],
  set: {
    [`${party}Reserve`]: `(- ${party}Reserve ?paid)`,
    [`${party}Reserved`]: `(- ${party}Reserved ?paid)`,
    [`${party}Deposit`]: `(- ${party}Deposit ?paid)`,
    deposits: '(+ (- deposits ?paid) ?paid)',
  },
})
