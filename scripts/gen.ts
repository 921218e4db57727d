// pnpm gen: rewrites every derived file of the repository. CI fails when a committed one differs.
import { genContracts } from './gen/contracts.ts'

await genContracts()
