import { expect, test } from 'vitest'
import { measureLag } from '../../bench/lag/run.ts'

// `pnpm bench lag` runs for ten minutes and measures the lag as well, which says little on a busy machine.
test.each([
  // Markets that each read for themselves would take 4.
  { sockets: true, calls: 3 },
  { sockets: false, calls: 5 },
])(
  '5 blocks a second take at most $calls calls per block, for both markets and providers, with sockets: $sockets',
  async ({ sockets, calls }) => {
    const report = await measureLag({ seconds: 6, sockets })
    expect(report.callsPerBlock).toBeLessThanOrEqual(calls)
    // The logs of every block are compared at both providers, so there cannot be fewer.
    expect(report.callsPerBlock).toBeGreaterThanOrEqual(2)
    expect(report.warnings).toEqual([])
  },
)
