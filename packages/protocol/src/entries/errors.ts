export type { ErrorContext } from '../errors/declared.ts'
export { type ExplainedError, explainError } from '../errors/explain.ts'
export { revertData } from '../errors/revertData.ts'
