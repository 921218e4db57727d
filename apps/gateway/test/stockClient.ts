import { base } from '@svc/protocol'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import type { SchemeNetworkClient } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { LocalAccount } from 'viem'

/** The client that agents take from npm, with one scheme registered and nothing else changed. */
export const stockFetch = (scheme: SchemeNetworkClient, ask: typeof fetch = fetch, chainId: number = base.id) =>
  wrapFetchWithPayment(ask, new x402Client().register(`eip155:${chainId}`, scheme))

/** x402's own scheme for exact payments, signed by this wallet. */
export const exactScheme = (account: LocalAccount): SchemeNetworkClient => new ExactEvmScheme(account)

/** What a 402 asks for, and what a paid answer says, as x402 itself reads them. */
export const readPaymentRequired = ({ headers }: Response) =>
  decodePaymentRequiredHeader(headers.get('payment-required') ?? '')
export const readPaymentResponse = ({ headers }: Response) =>
  decodePaymentResponseHeader(headers.get('payment-response') ?? '')
