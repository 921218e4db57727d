import { type DisputeTransition, disputes, lifecycle, onEnter, type Transition } from '@svc/protocol/lifecycle'
import { accountOperations } from '../model/accounts.ts'
import * as cases from './disputeWords.ts'
import type { Update } from './path.ts'
import * as tasks from './taskWords.ts'

/** The tables and what their words mean. A planted defect is a copy with one thing changed. */
export interface Rules {
  lifecycle: readonly Transition[]
  onEnter: typeof onEnter
  disputes: readonly DisputeTransition[]
  tasks: typeof tasks
  cases: typeof cases
  accounts: Readonly<Record<string, Update>>
}

/** What moves the books of the vaults besides the tables: calls of a wallet about its own money, and time. */
const accounts: Rules['accounts'] = {
  // A wallet that receives a penalty has its deposit raised like this.
  topUp: {
    set: {
      posterDeposit: '(+ posterDeposit ?amount)',
      deposits: '(+ deposits ?amount)',
      depositBalance: '(+ depositBalance ?amount)',
    },
  },
  withdrawDeposit: {
    checks: ['(<= (+ ?amount (ite (= posterReserved 0) 0 lockedDeposit)) (- posterDeposit posterReserved))'],
    set: {
      posterDeposit: '(- posterDeposit ?amount)',
      deposits: '(- deposits ?amount)',
      depositBalance: '(- depositBalance ?amount)',
    },
  },
  register: {
    checks: ['(<= minBond (+ bond ?amount))'],
    set: {
      bond: '(+ bond ?amount)',
      bonds: '(+ bonds ?amount)',
      arbitrationBalance: '(+ arbitrationBalance ?amount)',
    },
  },
  requestUnbond: {},
  // The contract asks for no open case. Only open cases lock anything: see the property `cases`.
  unbond: {
    checks: ['(= locked 0)'],
    set: { bond: '0', bonds: '(- bonds bond)', arbitrationBalance: '(- arbitrationBalance bond)' },
  },
  pauseEntries: {},
  unpauseEntries: {},
  withdrawEscrow: {
    checks: ['(<= ?amount escrowWaiting)'],
    set: { escrowWaiting: '(- escrowWaiting ?amount)', escrowBalance: '(- escrowBalance ?amount)' },
  },
  withdrawArbitration: {
    checks: ['(<= ?amount arbitrationWaiting)'],
    set: {
      arbitrationWaiting: '(- arbitrationWaiting ?amount)',
      arbitrationBalance: '(- arbitrationBalance ?amount)',
    },
  },
  wait: { set: { now: '(+ now ?seconds)' } },
}

const missing = Object.keys(accountOperations).filter((operation) => !(operation in accounts))
if (missing.length > 0) throw new Error(`The proof does not describe ${missing.join(', ')}.`)

/** The market as it is. */
export const rules: Rules = { lifecycle, onEnter, disputes, tasks, cases, accounts }
