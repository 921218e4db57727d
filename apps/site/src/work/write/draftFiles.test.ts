import { workLimits } from '@svc/protocol/work'
import { expect, test } from 'vitest'
import { addFiles, findDraftProblem, getMaxDraftSize } from './draftFiles.ts'

const file = (name: string, type = 'text/plain', content = 'x') => new File([content], name, { type })
const names = (...given: string[]) =>
  addFiles(
    [],
    given.map((name) => file(name)),
  ).map(({ name }) => name)

test('names are made safe for every system, and none hides another', () => {
  expect(names('Screenshot 10:20.png', 'a/b\\c.txt', 'notes.txt ', 'end.')).toEqual([
    'Screenshot 10_20.png',
    'a_b_c.txt',
    'notes.txt',
    'end',
  ])
  expect(names('A.txt', 'a.txt', 'a.TXT')).toEqual(['A.txt', 'a (2).txt', 'a (3).TXT'])
  expect(names('../../etc/passwd')).toEqual(['.._.._etc_passwd'])
  expect(() => names('con.txt')).toThrow('reserved on some systems')
  expect(() => names('invoice\u202Efdp.exe')).toThrow('hidden characters')
  expect(() => names('x'.repeat(300))).toThrow('too long')
})

test('a type that is none becomes the general one, and the count is limited', () => {
  const [odd, plain] = addFiles([], [file('a', 'Text/Plain; charset=utf-8'), file('b', 'nonsense')])
  expect([odd?.type, plain?.type]).toEqual(['text/plain', 'application/octet-stream'])
  const many = Array.from({ length: workLimits.files + 1 }, (_, index) => file(`${index}`))
  expect(() => addFiles([], many)).toThrow(`at most ${workLimits.files} files`)
})

test('a draft says what is wrong with it before anything is sent', () => {
  const format = (bytes: number) => `${bytes} bytes`
  expect(findDraftProblem({ text: ' ', files: [] }, 'micro', format)).toMatch('Write something')
  expect(findDraftProblem({ text: 'é'.repeat(65_537), files: [] }, 'micro', format)).toMatch('too long')
  const large = { id: '1', name: 'a', type: 'text/plain', blob: { size: getMaxDraftSize('micro') + 1 } as Blob }
  expect(findDraftProblem({ text: 'a', files: [large] }, 'micro', format)).toMatch(/more than 9\d+ bytes/)
  expect(findDraftProblem({ text: 'a', files: [large] }, 'standard', format)).toBeNull()
})
