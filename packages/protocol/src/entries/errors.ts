export { type ExplainedError, explainError } from '../errors/explainError.ts'
export { extractRevertData } from '../errors/revertData.ts'
