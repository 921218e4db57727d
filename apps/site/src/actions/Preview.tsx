import { canonicalJson } from '@svc/protocol'
import { type Call, decodeCalls } from '@svc/protocol/actions'
import { describeCalls, type PreparedJson } from '@svc/protocol/http'
import { useMemo, useState } from 'react'
import { getConnection } from 'wagmi/actions'
import { useTrusted } from '../api.ts'
import { contracts } from '../deployments.ts'
import { Alert } from '../parts/Alert.tsx'
import { useWallet } from '../wallet/useWallet.ts'
import { wallets } from '../wallet/wallets.ts'
import { send, type WalletProvider } from './send.ts'
import { Timeline } from './Timeline.tsx'

/** What the reader asked for: what comes back must be that. */
export interface Asked {
  action: string
  input: Readonly<Record<string, unknown>>
  from: string
}

interface PreviewProps {
  prepared: PreparedJson
  asked: Asked
  onBack: () => void
}

/** What would be signed, in words read from its very bytes; what it costs; what it would do; and the button. */
export function Preview({ prepared, asked, onBack }: PreviewProps) {
  const { address, isElsewhere, switchHere, name } = useWallet()
  const { trusted, problem } = useTrusted(prepared.market)
  const [sentId, setSentId] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const read = useMemo(() => readBack(prepared, asked), [prepared, asked])
  if (sentId) return <Timeline id={sentId} onAgain={onBack} />
  const { simulation, costs, clock } = prepared
  const refusal = simulation.status === 'refused' ? simulation.error : null
  const isOthers = address?.toLowerCase() !== prepared.from.toLowerCase()

  const sign = async () => {
    setBusy(true)
    const { connector } = getConnection(wallets)
    const provider = (await connector?.getProvider()) as WalletProvider | undefined
    setBusy(false)
    if (!provider) return
    const sending = send(provider, prepared)
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
      {clock && <p className="clock">Clock: {clock}</p>}
      <h3>What would happen now</h3>
      <Simulated simulation={simulation} />
      <Alert>{refusal && `${refusal.message} ${refusal.wayOut}`}</Alert>
      <Alert>{problem}</Alert>
      <Alert>
        {isOthers &&
          'The wallet is on another account now. Go back to prepare it for that one, or switch the wallet back.'}
      </Alert>
      <p className="buttons">
        {isElsewhere ? (
          <button type="button" className="primary" onClick={() => void switchHere().catch(() => {})}>
            Switch {name ?? 'the wallet'} to this chain
          </button>
        ) : (
          <button
            type="button"
            className="primary"
            disabled={isBusy || !trusted || isOthers || refusal !== null || read.problem !== null}
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
 * The calls in the words of their bytes, by the contracts this build knows. They must be the one action that was asked for,
 * with the very values that were given: a server cannot have anything else signed.
 */
function readBack({ market, calls, from }: PreparedJson, asked: Asked) {
  try {
    const described = describeCalls(calls as readonly Call[], market, contracts)
    const decoded = decodeCalls(calls as readonly Call[], { [market]: contracts[market] } as typeof contracts)
    const said = new Map(described.at(-1)?.args.map(({ name, value }) => [name, value.toLowerCase()]))
    const isOther = Object.entries(asked.input).some(
      ([name, value]) => said.get(name) !== canonicalJson(value).toLowerCase(),
    )
    const isOthers = from.toLowerCase() !== asked.from.toLowerCase()
    if (decoded?.action.name !== asked.action || isOther || isOthers) throw new Error('other')
    return { calls: described, problem: null }
  } catch {
    return { calls: [], problem: 'The server prepared something else than you asked for. It is not signed.' }
  }
}
