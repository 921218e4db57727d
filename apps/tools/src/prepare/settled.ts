import type { RequestJson } from '@svc/protocol/http'
import type { Line } from './line.ts'
import { PrepareError } from './prepareError.ts'

/** What became of a request, in lines. Throws where it ended otherwise than confirmed: rejected and reverted are refused, expired is too late. */
export function settledLines(request: RequestJson): Line[] {
  const { requestId, status, transactionHashes, approvalUrl } = request
  switch (status) {
    case 'confirmed':
      return [{ heading: 'Confirmed' }, ...transactionHashes.map((hash) => `  Transaction ${hash}`)]
    case 'pending':
      return [{ heading: 'Waiting for approval' }, `  Approve it at ${approvalUrl}`, `  Request ${requestId}`]
    case 'submitted':
      return [{ heading: 'Sent' }, '  The chain has not confirmed it yet.', `  Request ${requestId}`]
    case 'rejected':
      throw new PrepareError('refused', `Request ${requestId} was rejected by the person who looked at it.`, {
        code: 'REJECTED',
        hint: 'Ask why; prepare it again only if it is still wanted.',
        request,
      })
    case 'reverted':
      throw new PrepareError('refused', `Request ${requestId} was sent and the chain refused it.`, {
        code: 'REVERTED',
        hint: 'The state has changed: prepare it again to see what stands in its way.',
        request,
      })
    case 'expired':
      throw new PrepareError('timedOut', `Request ${requestId} expired before anybody approved it.`, {
        code: 'EXPIRED',
        hint: 'Prepare it again.',
        request,
      })
  }
}
