import type { PreparedJson } from '@svc/operations'
import { canonicalizeJson, formatQuotaUse } from '@svc/protocol'
import { type Call, decodeCalls, describeCalls } from '@svc/protocol/actions'
import { useMemo, useState } from 'react'
import { getConnection } from 'wagmi/actions'
import { useContractCheck } from '../api.ts'
import { contracts } from '../deployments.ts'
import { Alert } from '../parts/Alert.tsx'
import type { WalletProvider } from '../wallet/provider.ts'
import { useWallet } from '../wallet/useWallet.ts'
import { wagmiConfig } from '../wallet/wagmiConfig.ts'
import { sendPrepared } from './send.ts'
import { Timeline } from './Timeline.tsx'

/** The action that the user requested. The prepared calls must match it. */
export interface RequestedAction {
  action: string
  input: Readonly<Record<string, unknown>>
  from: string
}

interface PreviewProps {
  prepared: PreparedJson
  asked: RequestedAction
  isBlocked: boolean
  onBack: () => void
}

/** Shows what will be signed, decoded from the calls, with costs and simulation, and the button to sign. */
export function Preview({ prepared, asked, isBlocked, onBack }: PreviewProps) {
  const { address, isWrongChain, switchToChain, name } = useWallet()
  const { trusted, problem } = useContractCheck(prepared.market)
  const [sentId, setSentId] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const read = useMemo(() => readBack(prepared, asked), [prepared, asked])
  if (sentId) return <Timeline id={sentId} onAgain={onBack} />
  const { simulation, costs, deadline, quota, warnings = [] } = prepared
  const refusal = simulation.status === 'refused' ? simulation.error : null
  const isOtherWallet = address?.toLowerCase() !== prepared.from.toLowerCase()

  const sign = async () => {
    setBusy(true)
    const { connector } = getConnection(wagmiConfig)
    const provider = (await connector?.getProvider()) as WalletProvider | undefined
    setBusy(false)
    if (!provider) return
    const sending = sendPrepared(provider, prepared)
    setSentId('newest')
    void sending.then(setSentId)
  }

  return (
    <section className="preview" aria-label="What you would sign">
      <h3>You would sign</h3>
      {read.problem ? (
        <Alert>{read.problem}</Alert>
      ) : (
        <ol className="calls">
          {read.calls.map((call) => (
            <li key={`${call.to} ${call.label}`}>
              <p>{call.label}</p>
              <details>
                <summary>
                  {call.contract}.{call.function}
                </summary>
                <dl>
                  <dt>contract</dt>
                  <dd className="code">{call.to}</dd>
                  {call.args.map(({ name: part, value, words }) => (
                    <div key={part}>
                      <dt>{part}</dt>
                      <dd>
                        {words && <>{words} </>}
                        <span className="code">{value}</span>
                      </dd>
                    </div>
                  ))}
                </dl>
              </details>
            </li>
          ))}
        </ol>
      )}
      <h3>What it costs</h3>
      {costs.length === 0 ? (
        <p>Nothing but the fee of the network.</p>
      ) : (
        <ul className="costs">
          {costs.map(({ what, amount }) => (
            <li key={what + amount}>
              {what}: <strong>{amount}</strong>
            </li>
          ))}
        </ul>
      )}
      {quota && <p>Posting quota: {formatQuotaUse(quota)}.</p>}
      {warnings.map((warning) => (
        <p className="notice" key={warning}>
          {warning}
        </p>
      ))}
      {deadline && <p className="clock">Deadline: {deadline}</p>}
      <h3>What would happen now</h3>
      <Simulated simulation={simulation} />
      <Alert>{refusal && `${refusal.message} ${refusal.wayOut}`}</Alert>
      <Alert>{problem}</Alert>
      <Alert>
        {isOtherWallet &&
          'The wallet is on another account now. Go back to prepare it for that one, or switch the wallet back.'}
      </Alert>
      <p className="buttons">
        {isWrongChain ? (
          <button type="button" className="primary" onClick={() => void switchToChain().catch(() => {})}>
            Switch {name ?? 'the wallet'} to this chain
          </button>
        ) : (
          <button
            type="button"
            className="primary"
            disabled={isBusy || isBlocked || !trusted || isOtherWallet || refusal !== null || read.problem !== null}
            onClick={() => void sign()}
          >
            Sign in {name ?? 'the wallet'}
          </button>
        )}
        <button type="button" onClick={onBack}>
          Back
        </button>
      </p>
    </section>
  )
}

function Simulated({ simulation }: { simulation: PreparedJson['simulation'] }) {
  if (simulation.status === 'unknown') return <p>The chain's provider cannot play it in advance.</p>
  if (simulation.status === 'refused') return <p>The contract would refuse it:</p>
  if (simulation.changes.length === 0) return <p>It goes through. Nothing of your money moves.</p>
  return (
    <ul className="changes">
      {simulation.changes.map(({ what, words }) => (
        <li key={what}>
          {what}: <strong className={words.startsWith('-') ? 'less' : 'more'}>{words}</strong>
        </li>
      ))}
    </ul>
  )
}

/**
 * Decodes the calls with the contracts of this build. They must be exactly the requested action with the requested values, so a
 * server cannot get anything else signed.
 */
function readBack({ market, calls, from }: PreparedJson, asked: RequestedAction) {
  try {
    const described = describeCalls(calls as readonly Call[], market, contracts)
    const decoded = decodeCalls(calls as readonly Call[], { [market]: contracts[market] } as typeof contracts)
    const said = new Map(described.at(-1)?.args.map(({ name, value }) => [name, value.toLowerCase()]))
    const isOther = Object.entries(asked.input).some(
      ([name, value]) => said.get(name) !== canonicalizeJson(value).toLowerCase(),
    )
    const isOtherWallet = from.toLowerCase() !== asked.from.toLowerCase()
    if (decoded?.action.name !== asked.action || isOther || isOtherWallet) throw new Error('other')
    return { calls: described, problem: null }
  } catch {
    return { calls: [], problem: 'The server prepared something else than you asked for. It is not signed.' }
  }
}
