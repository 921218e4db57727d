import type { RequestJson } from '@svc/operations'
import { findAction } from '@svc/protocol/actions'
import type { Line } from './lines.ts'
import { PrepareError } from './prepareError.ts'

/** Renders the outcome of a request. Throws if it was rejected, reverted or expired. */
export function renderOutcome(request: RequestJson): Line[] {
  const { requestId, status, transactionHashes, approvalUrl } = request
  switch (status) {
    case 'confirmed':
      return [
        { heading: `Confirmed: ${findAction(request.action)?.done ?? request.title}` },
        ...transactionHashes.map((hash) => `  Transaction ${hash}`),
      ]
    case 'pending':
      return [{ heading: 'Waiting for approval' }, `  Approve it at ${approvalUrl}`, `  Request ${requestId}`]
    case 'submitted':
      return [{ heading: 'Sent' }, '  The chain has not confirmed it yet.', `  Request ${requestId}`]
    case 'rejected':
      throw new PrepareError('refused', `Request ${requestId} was rejected.`, {
        code: 'REJECTED',
        hint: 'Ask the person why. Prepare it again only if it is still wanted.',
        request,
      })
    case 'reverted':
      throw new PrepareError('refused', `Request ${requestId} was sent, but the transaction reverted.`, {
        code: 'REVERTED',
        hint: 'The state has changed. Prepare it again to see the reason.',
        request,
      })
    case 'expired':
      throw new PrepareError('timedOut', `Request ${requestId} expired before it was approved.`, {
        code: 'EXPIRED',
        hint: 'Prepare it again.',
        request,
      })
  }
}
