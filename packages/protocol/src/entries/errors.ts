export type { ErrorContext } from '../errors/errorTypes.ts'
export { type ExplainedError, explainError } from '../errors/explainError.ts'
export { extractRevertData } from '../errors/revertData.ts'
