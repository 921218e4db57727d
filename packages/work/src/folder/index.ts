export { exportBundle, verifyExport } from './exportFolder.ts'
export { createKeyFolder } from './keyFolder.ts'
export { listLocalFiles } from './localFiles.ts'
export { createPartFolder } from './partFolder.ts'
