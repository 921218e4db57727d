import { expectTypeOf, test } from 'vitest'
import type { AnyAction } from './action.ts'
import type { buildCalls } from './calls.ts'
import {
  type ActionCall,
  type ActionInput,
  type ActionInputJson,
  type ActionName,
  actions,
  type PrepareInput,
} from './index.ts'

// `tsc` checks this file: each `@ts-expect-error` is an error if the line below it compiles.
type Build = typeof buildCalls
const id = { market: 'micro', number: 7n } as const

test('an action takes its own input only', () => {
  const check = (build: Build, options: Parameters<Build>[2]) => {
    build(actions.stake, { market: 'micro', amountTokWei: 5n }, options)
    // @ts-expect-error wei is a bigint
    build(actions.stake, { market: 'micro', amountTokWei: '5' }, options)
    // @ts-expect-error misspelt field
    build(actions.stake, { market: 'micro', amountTokWie: 5n }, options)
    // @ts-expect-error settlementDigest is missing
    build(actions['claim-task'], { taskId: id }, options)
    // @ts-expect-error no such action
    build(actions['claim-tusk'], { taskId: id }, options)
  }
  expectTypeOf(check).toBeFunction()
  expectTypeOf<ActionInput<'stake'>>().toEqualTypeOf<{ market: 'standard' | 'micro'; amountTokWei: bigint }>()
  expectTypeOf<ActionInputJson<'stake'>>().toEqualTypeOf<{ market: 'standard' | 'micro'; amountTokWei: string }>()
})

test('a name infers what preparing the action takes', () => {
  const check = (prepare: <N extends ActionName>(name: N, input: PrepareInput<N>) => void) => {
    prepare('claim-task', { taskId: 'v2:standard:1', settlementDigest: '0x' })
    // @ts-expect-error settlementDigest is missing
    prepare('claim-task', { taskId: 'v2:standard:1' })
    // @ts-expect-error no such action
    prepare('claim-tusk', { taskId: 'v2:standard:1' })
    // @ts-expect-error misspelt field
    prepare('stake', { market: 'micro', amountTokWie: '5' })
    // amountTokWei and milestone are derived from the task.
    prepare('fund-task', { taskId: 'v2:standard:1' })
    prepare('submit-proof', { taskId: 'v2:standard:1', proofHash: '0x' })
    // @ts-expect-error a milestone is a number in JSON
    prepare('submit-proof', { taskId: 'v2:standard:1', proofHash: '0x', milestone: '0' })
    // @ts-expect-error misspelt field of the terms
    prepare('post-task', { market: 'micro', text: '', fundAmountTokWei: '1', terms: { posterr: '0x' } })
  }
  expectTypeOf(check).toBeFunction()
})

test('the name of a call narrows its input', () => {
  const show = (call: ActionCall): string => {
    switch (call.name) {
      case 'claim-task':
        return call.input.settlementDigest
      case 'stake':
        // @ts-expect-error stake has no digest
        return String(call.input.amountTokWei) + call.input.settlementDigest
      case 'post-task':
        return String(call.input.terms.amounts[0])
      default:
        return ''
    }
  }
  expectTypeOf(show).returns.toBeString()
})

test('every action is an AnyAction, and its key is its name', () => {
  expectTypeOf(actions).toExtend<{ [K in ActionName]: AnyAction & { name: K } }>()
})
