export {
  buildAddChainParameter,
  create2Deployer,
  findSwapPlace,
  formatTransactionUrl,
  type SwapPlace,
} from '../../base/chains.ts'
export { explainIssue, formatIssue } from '../../base/explainIssue.ts'
export { defaultRpcUrl } from '../../base/limits.ts'
export { market } from '../../base/marketSchema.ts'
export { normalizeText } from '../../base/plainText.ts'
export { parseRetryAfter } from '../../base/retryAfter.ts'
export type { SvcErrorOptions } from '../../base/svcError.ts'
export { address, nonZeroHash, payee, signature, storageReceipt } from '../../base/wire.ts'
