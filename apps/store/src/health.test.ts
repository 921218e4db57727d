import { expect, test } from 'vitest'
import { createStoreHealth } from './health.ts'

const fine = async () => {}
const fails = async () => {
  throw new Error('refused')
}
const hangs = () => new Promise(() => {})
const assess = (
  pings: Partial<Record<'database' | 'objects' | 'chain', () => Promise<unknown>>>,
  stopping = false,
  keyDiffers = false,
) =>
  createStoreHealth({
    pings: { database: fine, objects: fine, chain: fine, ...pings },
    stopping: stopping ? AbortSignal.abort() : new AbortController().signal,
    listRefused: () => (pings.chain ? ['provider 1 is refused: it is on chain 10.'] : []),
    doesKeyDiffer: () => keyDiffers,
    pingMs: 20,
  })()

test('readiness names what is missing; without the chain a replica still serves what needs no role', async () => {
  expect(await assess({})).toEqual({ ready: true, draining: false, down: [], keyDiffers: false, refused: [] })
  expect(await assess({ database: fails })).toMatchObject({ ready: false, down: ['database'] })
  expect(await assess({ objects: hangs, chain: fails })).toMatchObject({ ready: false, down: ['objects', 'chain'] })
  expect(await assess({ chain: hangs })).toMatchObject({
    ready: true,
    down: ['chain'],
    refused: ['provider 1 is refused: it is on chain 10.'],
  })
  expect(await assess({}, false, true)).toMatchObject({ ready: false, down: [], keyDiffers: true })
  expect(await assess({}, true)).toEqual({ ready: false, draining: true, down: [], keyDiffers: false, refused: [] })
})
