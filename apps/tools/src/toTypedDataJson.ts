import { getTypesForEIP712Domain, serializeTypedData, type TypedDataDomain, type TypedDataParameter } from 'viem'

/** Converts typed data to JSON for `eth_signTypedData_v4`. */
export function toTypedDataJson(typed: {
  domain: TypedDataDomain
  types: Readonly<Record<string, readonly TypedDataParameter[]>>
  primaryType: string
  message: Record<string, unknown>
}): Record<string, unknown> {
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain: typed.domain }), ...typed.types }
  return JSON.parse(serializeTypedData<Record<string, unknown>, string>({ ...typed, types }))
}
