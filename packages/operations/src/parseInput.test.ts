import { expect, test } from 'vitest'
import { readNames } from './endpoints.ts'
import { operations } from './operations.ts'
import { parseInput } from './parseInput.ts'
import { createQueryParser } from './query.ts'

const { getTask, listOpenTasks, listTitles, recordPost, chat, listEvents } = operations
const wallet = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

test('defaults are filled in, and ids are parsed', () => {
  expect(parseInput(listOpenTasks, {})).toEqual({ market: 'standard', limit: 100 })
  expect(parseInput(getTask, { taskId: 'v2:micro:7' })).toEqual({ id: { market: 'micro', number: 7n } })
  expect(parseInput(listEvents, { cursor: '12:3:0123abcd' })).toMatchObject({ cursor: { block: 12n, logIndex: 3 } })
  expect(parseInput(listTitles, { ids: 'v2:micro:1,v2:micro:2' })).toMatchObject({ market: 'micro' })
})

test.each([
  [listOpenTasks, { limit: 0 }, 'INVALID_LIMIT', 'limit must be at least 1.'],
  [listOpenTasks, { limit: 'x' }, 'INVALID_LIMIT', 'limit must be a whole number from 1 to 100.'],
  [listOpenTasks, { market: 'x' }, 'INVALID_MARKET', 'market must be standard or micro.'],
  [listOpenTasks, { cursor: 'x' }, 'INVALID_CURSOR', 'cursor must be a nextCursor of this list.'],
  [getTask, {}, 'INVALID_TASK_ID', 'A task id is required: v2:<market>:<number>.'],
  [
    getTask,
    { id: 'v2:micro:7', market: 'standard' },
    'INVALID_MARKET',
    'The task id is of market micro, not standard.',
  ],
  [listTitles, { ids: 'v2:micro:1,v2:standard:1' }, 'INVALID_MARKET', 'ids must be of one market.'],
  [recordPost, {}, 'INVALID_ADDRESS', 'a wallet address is required: 0x and 40 hex digits.'],
  [
    recordPost,
    { address: wallet, taskId: 'v2:micro:1' },
    'INVALID_TX_HASH',
    'txHash is required: a transaction hash, 0x and 64 hex digits.',
  ],
  [chat, { messages: [{ role: 'user', content: 'Hi' }], model: 'x' }, 'INVALID_REQUEST', 'Unknown field: model.'],
])('a wrong input is refused with its code and what is wrong with it', (operation, given, code, message) => {
  expect(() => parseInput<typeof operation.input>(operation, given)).toThrow(expect.objectContaining({ code, message }))
})

test('a plain number gets a hint', () => {
  expect(() => parseInput(getTask, { id: '7' })).toThrow(
    expect.objectContaining({ hint: 'Did you mean v2:standard:7 or v2:micro:7?' }),
  )
})

test('S11: an unknown parameter is refused with the names that are allowed', () => {
  const parse = (query: string, ...inPath: string[]) =>
    createQueryParser(listOpenTasks, inPath)(new URLSearchParams(query))
  expect(parse('limit=5&path=chain')).toEqual({ limit: 5, path: 'chain' })
  expect(parse('_=1&_&__proto__=1&limit=5')).toEqual({ limit: 5 })
  expect(() => parseInput(listOpenTasks, parse('limit=01'))).toThrow('limit must be a whole number')
  const message = 'Unknown parameter q. Allowed: market, limit, cursor, texts, minBlock, path.'
  expect(() => parse('q=1')).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', message }))
  expect(() => parse('limit=5', 'limit')).toThrow('Unknown parameter limit.')
  expect(() => createQueryParser(operations.getFees)(new URLSearchParams('market=micro'))).toThrow('Allowed: none.')
})

test('S11: id and a different taskId are refused together', () => {
  expect(() => parseInput(getTask, { id: 'v2:micro:1', taskId: 'v2:micro:2' })).toThrow(
    expect.objectContaining({ code: 'INVALID_TASK_ID', message: expect.stringContaining('id and taskId') }),
  )
  expect(parseInput(getTask, { id: 'v2:micro:1', taskId: 'v2:micro:1' })).toMatchObject({ id: { number: 1n } })
})

test('the names of reads are those of the operations', () => {
  const reads = Object.values(operations).filter(({ kind }) => kind === 'read')
  expect([...readNames].toSorted()).toEqual(reads.map(({ name }) => name).toSorted())
})
