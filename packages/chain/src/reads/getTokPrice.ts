import { pricingPolicyAbi, usdOracleAbi } from '@svc/protocol/abis'
import { BaseError, ContractFunctionRevertedError, zeroAddress } from 'viem'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef, TokPrice } from '../reader.ts'

/** Reads the price of TOK at a block. An oracle that reverts gives no price; it does not make the read fail. */
export async function getTokPrice(
  { client }: Provider,
  { pricingPolicy }: MarketAddresses,
  block: BlockRef,
): Promise<{ price: TokPrice }> {
  const blockNumber = block.number
  const policy = { address: pricingPolicy, abi: pricingPolicyAbi, functionName: 'usdOracle' } as const
  const usdOracle = await client.readContract({ ...policy, blockNumber })
  if (usdOracle === zeroAddress) return { price: noPrice('NO_ORACLE') }
  const [control, answer] = await client.multicall({
    allowFailure: true,
    blockNumber,
    contracts: [policy, { address: usdOracle, abi: usdOracleAbi, functionName: 'tokUsdPrice' }],
  })
  // viem reports a provider that fails like a call that fails. The first call never does.
  if (control.status === 'failure') throw control.error
  if (answer.status === 'failure') {
    return { price: noPrice(getErrorName(answer.error) === 'StalePrice' ? 'TOO_OLD' : 'UNAVAILABLE') }
  }
  const [usd, updatedAt] = answer.result
  return { price: { usd, updatedAt: Number(updatedAt), missing: null } }
}

const noPrice = (missing: NonNullable<TokPrice['missing']>): TokPrice => ({ usd: null, updatedAt: null, missing })

function getErrorName(error: unknown): string | undefined {
  const reverted = error instanceof BaseError && error.walk((at) => at instanceof ContractFunctionRevertedError)
  return reverted instanceof ContractFunctionRevertedError ? reverted.data?.errorName : undefined
}
