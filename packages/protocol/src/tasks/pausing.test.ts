import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guards } from './guards.ts'
import { lifecycle } from './lifecycle.ts'
import { entriesEndedRule, entriesPausedRule, pauseRule } from './pausing.ts'

test('S8: pausing is described by one sentence, generated from the guard', () => {
  expect(pauseRule).toBe(
    "Below a deposit of 8.00 USDC, a wallet's entries pause: it cannot post, create or claim a task, or fund one before its claim; its running tasks go on.",
  )
  expect(entriesPausedRule).toBe(
    'Entries are paused: nobody can post, create or claim a task, or fund one before its claim.',
  )
  expect(entriesEndedRule).toBe(
    'Entries have ended: nobody can post, create or claim a task, or fund one before its claim any more. Running tasks go on.',
  )
})

test('every entry needs a deposit of at least the threshold, and nothing else asks for one', () => {
  const needsDeposit = (names: readonly string[]) =>
    names.some((name) => guards[name as keyof typeof guards].error === 'DepositTooLow')
  for (const { operation, from, guards: own } of lifecycle) {
    expect(needsDeposit(own), `${operation} from ${from}`).toBe(own.includes('entriesOpen'))
  }
})

test('the glossary says it with the same sentence', () => {
  expect(readFileSync(new URL('../../../../docs/glossary.md', import.meta.url), 'utf8')).toContain(pauseRule)
})
