// pnpm gen: rewrites every derived file of the repository. CI fails when a committed one differs.
import { genCells } from './gen/cells.ts'
import { genContracts } from './gen/contracts.ts'
import { genLifecycle } from './gen/lifecycle.ts'

await genLifecycle()
await genContracts()
// After the contracts: an error's selector is read from their ABIs.
await genCells()
