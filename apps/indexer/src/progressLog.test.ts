import type { Cursor } from '@svc/index'
import { expect, test } from 'vitest'
import type { Progress } from './follow.ts'
import { createProgressLog } from './progressLog.ts'

const cursor: Cursor = {
  number: 7n,
  hash: '0x07',
  timestamp: 1_800_000_000,
  digest: '0x00',
  events: 3n,
  finalized: 0n,
  refolds: 0,
  halted: null,
}

function listen() {
  const lines: [level: string, message: string, times?: number][] = []
  const at = (level: string) => (fields: { times?: number }, message: string) =>
    void lines.push(fields.times === undefined ? [level, message] : [level, message, fields.times])
  const log = { info: at('info'), warn: at('warn'), error: at('error') }
  let now = 0
  const report = createProgressLog(log, () => now)
  return {
    lines,
    tell: (progress: Progress, later = 0) => {
      now += later
      report('micro', progress)
    },
  }
}

test('an error that repeats four times a second for an hour is logged every ten seconds, and once when it is over', () => {
  const { lines, tell } = listen()
  for (let time = 0; time < 3_600_000; time += 250) {
    tell({ kind: 'standby' })
    tell({ kind: 'stalled', error: new Error(`provider ${time % 2} cannot be reached`) }, 250)
  }
  expect(lines).toHaveLength(1 + 360)
  expect(lines[0]).toEqual(['info', 'standby'])
  expect(lines[1]).toEqual(['warn', 'stalled', 1])
  expect(lines[2]).toEqual(['warn', 'stalled', 40])
  tell({ kind: 'writing', cursor })
  tell({ kind: 'appended', cursor, events: 1 })
  tell({ kind: 'appended', cursor, events: 1 })
  expect(lines.slice(361)).toEqual([
    ['info', 'writing'],
    ['info', 'recovered'],
  ])
})

test('logs each change of state once', () => {
  const { lines, tell } = listen()
  tell({ kind: 'standby' })
  tell({ kind: 'writing', cursor })
  for (let round = 0; round < 5; round++) tell({ kind: 'caughtUp', appended: false, cursor })
  tell({ kind: 'rolledBack', cursor, depth: 2n })
  tell({ kind: 'standby' })
  tell({ kind: 'halted', reason: 'Task 7 differs' })
  expect(lines.map(([, message]) => message)).toEqual([
    'standby',
    'writing',
    'caught up',
    'rolled back after a reorg',
    'standby',
    'halted',
  ])
})
