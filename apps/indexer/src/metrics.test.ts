import type { Cursor } from '@svc/index'
import { expect, test } from 'vitest'
import { createIndexerMetrics } from './metrics.ts'

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

/** The lines of a metric, without its name, such as `{market="micro"} 1`. */
const readLines = async (metrics: ReturnType<typeof createIndexerMetrics>, name: string) =>
  (await metrics.registry.metrics())
    .split('\n')
    .flatMap((line) => (line.startsWith(`${name}{`) ? [line.slice(name.length)] : []))

test('a gauge says whether its build serves now, and a counter whether it served then', async () => {
  const metrics = createIndexerMetrics()
  metrics.servingChanged('a')
  metrics.follow('a')
  metrics.follow('a_2')
  metrics.progress('a', 'micro', { kind: 'writing', cursor })
  metrics.progress('a_2', 'micro', { kind: 'writing', cursor })
  const writing = async () => (await readLines(metrics, 'svc_index_writing')).filter((line) => line.endsWith(' 1'))
  const line = (build: string, serving: boolean) => `{build="${build}",market="micro",serving="${serving}"} 1`
  expect(await writing()).toEqual([line('a', true), line('a_2', false)])
  metrics.progress('a_2', 'micro', { kind: 'stalled', error: new Error('no answer') })
  metrics.servingChanged('a_2')
  expect(await writing()).toEqual([line('a', false), line('a_2', true)])
  metrics.progress('a_2', 'micro', { kind: 'stalled', error: new Error('no answer') })
  metrics.forget('a')
  expect(await writing()).toEqual([line('a_2', true)])
  const stalls = await readLines(metrics, 'svc_index_stalls_total')
  expect(stalls.filter((each) => each.includes('a_2') && each.includes('micro'))).toEqual([
    '{market="micro",build="a_2",serving="true"} 1',
    '{market="micro",build="a_2",serving="false"} 1',
  ])
})
