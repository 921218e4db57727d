import { getTypesForEIP712Domain, serializeTypedData, type TypedDataDomain } from 'viem'

/** Typed data as JSON for `eth_signTypedData_v4`. */
export function typedDataJson(typed: {
  domain: TypedDataDomain
  types: object
  primaryType: string
  message: object
}): Record<string, unknown> {
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain: typed.domain }), ...typed.types }
  return JSON.parse(serializeTypedData({ ...typed, types } as never)) as Record<string, unknown>
}
