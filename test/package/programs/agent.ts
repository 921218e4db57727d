import { computeWorstCase, describeWorstCase } from '@svc/agent'
import { parseUnits } from 'viem'

// What three claims put at stake.
const limits = {
  allowanceTokWei: parseUnits('6000', 18),
  depositUsdc: parseUnits('51', 6),
  calls: 48,
  until: 1_800_000_000,
  gasWei: parseUnits('0.01', 18),
  hireTokWei: 0n,
}
console.log(describeWorstCase(computeWorstCase({ uses: ['earn'], limits })))
