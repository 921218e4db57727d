import type { DisputeJson } from '@svc/client'
import { useWallet } from '../wallet/useWallet.ts'
import { Countdown, StateLabel, Wallet } from './values.tsx'

/** A dispute: evidence, proposals, panel, ruling and deadlines. */
export function DisputeView({ dispute }: { dispute: DisputeJson }) {
  const { address } = useWallet()
  const clocks = [
    ['Agreeing on an arbitrator', dispute.consentEnd],
    ['Seating a panel', dispute.seatEnd],
    ['Evidence', dispute.evidenceEnd],
    ['Ruling', dispute.rulingEnd],
    ['Appeal', dispute.appealEnd],
  ] as const
  return (
    <section>
      <h2>Dispute</h2>
      <p>
        <StateLabel of={dispute.phase} /> · round {dispute.round}, panel of tier {dispute.tier + 1}
      </p>
      <ul>
        <li>
          Poster: {dispute.posterSpoke ? 'has given evidence' : 'silent so far'}
          {dispute.posterProposal && (
            <>
              , proposes <Wallet of={dispute.posterProposal} you={address} />
            </>
          )}
        </li>
        <li>
          Worker: {dispute.workerSpoke ? 'has given evidence' : 'silent so far'}
          {dispute.workerProposal && (
            <>
              , proposes <Wallet of={dispute.workerProposal} you={address} />
            </>
          )}
        </li>
        {clocks.map(
          ([label, end]) =>
            end !== null && (
              <li key={label}>
                {label}: <Countdown to={end} />
              </li>
            ),
        )}
      </ul>
      {dispute.panel.length > 0 && (
        <ul className="bench">
          {dispute.panel.map(({ arbitrator, voted, workerBps }) => (
            <li key={arbitrator}>
              <Wallet of={arbitrator} you={address} />:{' '}
              {voted ? `${workerBps / 100} % to the worker` : 'has not ruled yet'}
            </li>
          ))}
        </ul>
      )}
      {dispute.phase === 'RULED' && <p>Ruled: {dispute.workerBps / 100} % to the worker.</p>}
    </section>
  )
}
