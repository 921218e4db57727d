import { expect, test } from 'vitest'
import { chooseFirst } from './chooseFirst.ts'

const task = (name: string, pay: number, tags: string[], locked = pay) => ({
  name,
  tags,
  totalAmountTokWei: String(pay),
  fundedTokWei: String(locked),
})
const tasks = [
  task('unlocked', 900, ['maps'], 0),
  task('best paid', 800, ['code']),
  task('second', 700, ['audio']),
  task('map', 100, ['maps']),
]

test.each([
  [
    'a stranger',
    [],
    [
      ['best paid', 0],
      ['second', 0],
    ],
  ],
  [
    'somebody who drew two maps',
    [{ tags: ['maps', 'gis'] }, { tags: ['maps'] }],
    [
      ['map', 2],
      ['best paid', 0],
    ],
  ],
  [
    'somebody without a match',
    [{ tags: ['law'] }, {}],
    [
      ['best paid', 0],
      ['second', 0],
    ],
  ],
])('%s sees first what fits, then what pays best', (_, finished, expected) => {
  expect(chooseFirst(tasks, finished).map((each) => [each.task.name, each.alike])).toEqual(expected)
})
