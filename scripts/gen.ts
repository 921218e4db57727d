// pnpm gen: rewrites every derived file of the repository. CI fails when a committed one differs.
import { genActions } from './gen/actions.ts'
import { genAdditions } from './gen/additions.ts'
import { genCells } from './gen/cells.ts'
import { genConformance } from './gen/conformance.ts'
import { genContracts } from './gen/contracts.ts'
import { genContractsDoc } from './gen/contractsDoc.ts'
import { genDesign } from './gen/design.ts'
import { genFoldFingerprint } from './gen/foldFingerprint.ts'
import { genLifecycle } from './gen/lifecycle.ts'
import { genOpenapi } from './gen/openapi.ts'
import { genPrepare } from './gen/prepare.ts'
import { genRuntimeCodes } from './gen/runtimeCodes.ts'
import { genSchemas } from './gen/schemas.ts'
import { genSignals } from './gen/signals.ts'
import { genStorage } from './gen/storage.ts'
import { genTools } from './gen/tools.ts'
import { genVectors } from './gen/vectors.ts'

await genDesign()
await genSignals()
await genLifecycle()
await genActions()
await genPrepare()
await genTools()
await genSchemas()
await genOpenapi()
await genAdditions()
await genConformance()
await genVectors()
await genContracts()
await genStorage()
// After the contracts, because their ABIs are part of the fold.
await genFoldFingerprint()
await genRuntimeCodes()
await genContractsDoc()
// After the contracts, because error selectors come from their ABIs.
await genCells()
